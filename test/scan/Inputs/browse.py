"""Opens a scan's page in headless Chromium. Usage: browse.py PAGE"""

import pathlib
import sys
import tempfile

from selenium import webdriver
from selenium.webdriver.chrome.service import Service
from selenium.webdriver.common.by import By

FLAGS = ["--headless", "--no-sandbox", "--disable-gpu", "--disable-quic", "--no-first-run", "--disable-background-networking"]
FLAGS += ["--disable-component-update", "--disable-sync", "--disable-dev-shm-usage", "--window-size=1400,1000"]


def run(browser):
    all_of = lambda selector: browser.find_elements(By.CSS_SELECTOR, selector)
    browser.get(pathlib.Path(sys.argv[1]).resolve().as_uri())
    assert browser.execute_script("return document.body.dataset.ready") == "yes"
    print("numbers:", all_of("#numbers")[0].text)
    print("rows:", *(cell.text for cell in all_of("tr.row .name")))
    all_of("th button[data-key=files]")[0].click()
    print("sorted by files, most first:", all_of("tr.row .name")[0].text)
    all_of("#search")[0].send_keys("answers")
    print("search answers:", all_of("#shown")[0].text)
    all_of("tr.row")[0].click()
    print(f"opened: {len(all_of('tr.detail .line i'))} bytes,", all_of("tr.detail")[0].text.replace("\n", " "))
    all_of("tr.row")[0].click()
    print("closed:", len(all_of("tr.detail")))
    print("unread:", all_of("#unread summary")[0].text)
    print("problems in the console:", len(browser.get_log("browser")))


with tempfile.TemporaryDirectory() as profile:
    options = webdriver.ChromeOptions()
    for flag in [*FLAGS, f"--user-data-dir={profile}"]:
        options.add_argument(flag)
    options.set_capability("goog:loggingPrefs", {"browser": "ALL"})
    browser = webdriver.Chrome(service=Service("/usr/bin/chromedriver"), options=options)
    try:
        run(browser)
    finally:
        browser.quit()
