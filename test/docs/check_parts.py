"""Each folder of lib/Tidy/Analysis has one header that draws its part, after
"// FOLDER: ", and names every header of the folder there.
Usage: check_parts.py SOURCE"""

import pathlib
import re
import sys

analysis = pathlib.Path(sys.argv[1]) / "lib/Tidy/Analysis"
folders = sorted(path for path in analysis.iterdir() if path.is_dir())
problems = []
for folder in folders:
    headers = sorted(folder.glob("*.h"))
    pictures = {path: re.search(rf"^// {folder.name}: .*\n(?://.*\n)+", path.read_text(), re.M) for path in headers}
    drawn = [(path, found[0]) for path, found in pictures.items() if found]
    if len(drawn) != 1:
        problems.append(f"{folder.name}: {len(drawn)} headers draw it, expected 1")
        continue
    path, picture = drawn[0]
    problems += [
        f"{folder.name}/{path.name} does not name {other.stem}"
        for other in headers
        if other != path and not re.search(rf"\b{other.stem}\b", picture)
    ]
print("\n".join(problems) or f"{len(folders)} folders are drawn")
sys.exit(bool(problems) or not folders)
