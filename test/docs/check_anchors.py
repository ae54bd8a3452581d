"""Each link of the built site leads to a page, and to an anchor that is there.
Usage: check_anchors.py SITE"""

import html.parser
import pathlib
import sys
import urllib.parse

site = pathlib.Path(sys.argv[1])


class Page(html.parser.HTMLParser):
    def __init__(self):
        super().__init__()
        self.anchors, self.links = set(), []

    def handle_starttag(self, tag, attributes):
        attributes = dict(attributes)
        for key in ("id", "name"):
            if attributes.get(key):
                self.anchors.add(attributes[key])
        if tag == "a" and attributes.get("href"):
            self.links.append(attributes["href"])


pages = {}
for path in site.rglob("*.html"):
    pages[path] = Page()
    pages[path].feed(path.read_text())
problems, checked = [], 0
for path, page in sorted(pages.items()):
    for link in page.links:
        parts = urllib.parse.urlsplit(link)
        if parts.scheme or path.name in ("404.html", "search.html"):
            continue
        target = (path.parent / parts.path).resolve() if parts.path else path
        if target.is_dir():
            target /= "index.html"
        checked += 1
        target = next((known for known in pages if known.resolve() == target.resolve()), None)
        name = path.relative_to(site)
        if not target:
            if not (path.parent / parts.path).exists():
                problems.append(f"{name}: {link} leads nowhere")
        elif parts.fragment and urllib.parse.unquote(parts.fragment) not in pages[target].anchors:
            problems.append(f"{name}: {link} has no such anchor")
if checked < 300:
    problems.append(f"saw only {checked} links")
print("\n".join(problems) or f"{checked} links of {len(pages)} pages hold")
sys.exit(bool(problems))
