"""Opens pages of the site in headless Chromium, over HTTP as readers have it, and
searches. Usage: browse_site.py SITE"""

import functools
import http.server
import sys
import tempfile
import threading

from selenium import webdriver
from selenium.webdriver.chrome.service import Service
from selenium.webdriver.common.by import By
from selenium.webdriver.support.ui import WebDriverWait


class Quiet(http.server.SimpleHTTPRequestHandler):
    def log_message(self, *_):
        pass


server = http.server.ThreadingHTTPServer(("127.0.0.1", 0), functools.partial(Quiet, directory=sys.argv[1]))
threading.Thread(target=server.serve_forever, daemon=True).start()
base = f"http://127.0.0.1:{server.server_port}/"
with tempfile.TemporaryDirectory(ignore_cleanup_errors=True) as profile:
    options = webdriver.ChromeOptions()
    for flag in ["--headless", "--no-sandbox", "--disable-gpu", "--disable-background-networking", "--disable-component-update",
                 "--disable-dev-shm-usage", "--no-proxy-server", f"--user-data-dir={profile}"]:
        options.add_argument(flag)
    options.set_capability("goog:loggingPrefs", {"browser": "ALL"})
    browser = webdriver.Chrome(service=Service("/usr/bin/chromedriver"), options=options)
    try:
        for page in ["index.html", "cli.html", "checks/sentinel-write.html", "search.html?q=sentinel"]:
            browser.get(base + page)
            assert browser.execute_script("return !!(window.jQuery && window.SphinxRtdTheme)"), page
            print(f"{page}: {browser.title}")
        WebDriverWait(browser, 60).until(lambda b: b.find_elements(By.CSS_SELECTOR, "#mkdocs-search-results article"))
        problems = [entry for entry in browser.get_log("browser") if entry["level"] == "SEVERE" and "favicon" not in entry["message"]]
    finally:
        browser.quit()
print("console errors:", len(problems), *problems)
