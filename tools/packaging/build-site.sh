#!/usr/bin/env bash
# The documents as a site: build-site.sh BUILD OUTPUT (mkdocs is in Debian). The
# reference of options is made from the program. A broken link fails.
set -euo pipefail
source=$(dirname "$(realpath "${BASH_SOURCE[0]}")")/../..
build=$(realpath "$1")
output=$(realpath -m "$2")
work=$(mktemp -d)
trap 'rm -rf "$work"' EXIT
cp -r "$source/docs" "$work/docs"
"$build/bin/linesman" help --describe-all=markdown >"$work/docs/reference.md"
cp "$source/tools/packaging/mkdocs.yml" "$work/"
# Files of the project that are no page of the site.
sed -i -E 's#\]\(\.\./(README\.md|examples/[^)]*|test/[^)]*|include/[^)]*)\)#]#g; s#\]\(\.\./\.\./(README\.md|examples/[^)]*|test/[^)]*)\)#]#g' "$work"/docs/*.md "$work"/docs/checks/*.md
mkdocs build --quiet --strict --config-file "$work/mkdocs.yml" --site-dir "$output"
# Debian's theme names scripts that are in another package, or in none.
grep -rhoP --include='*.html' '<script src="(\.\./)*\Kjs/[^"]+' "$output" | sort -u | while read -r script; do
  [ ! -e "$output/$script" ] || continue
  case $script in
  js/jquery*) cp /usr/share/javascript/jquery/jquery.min.js "$output/$script" ;;
  *) find "$output" -name '*.html' -exec sed -i "\\#<script src=\"[./]*$script\"#d" {} + ;;
  esac
done
