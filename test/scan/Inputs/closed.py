"""A folder and a program that may not be read are said. Usage: closed.py PROGRAM FOLDER"""

import os
import pathlib
import shutil
import subprocess
import sys

program, folder = pathlib.Path(sys.argv[1]), pathlib.Path(sys.argv[2])
(folder / "inside").mkdir(parents=True)
for name in ("open", "closed", "inside/hidden"):
    shutil.copy(program, folder / name)
(folder / "closed").chmod(0)
(folder / "inside").chmod(0)
# The administrator may read all, unless that is given up.
drop = ["setpriv", "--bounding-set=-dac_override,-dac_read_search"] if os.geteuid() == 0 else []
scan = subprocess.run([*drop, "linesman", "scan", folder.name], cwd=folder.parent, capture_output=True, text=True)
(folder / "inside").chmod(0o700)
print(scan.returncode, scan.stdout)
