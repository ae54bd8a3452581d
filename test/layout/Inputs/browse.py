"""Opens reports in headless Chromium. Usage: browse.py REPORT TYPES NONE ARRAY"""

import pathlib
import sys
import tempfile

from selenium import webdriver
from selenium.webdriver.chrome.service import Service
from selenium.webdriver.common.by import By
from selenium.webdriver.support.ui import WebDriverWait

FLAGS = ["--headless", "--no-sandbox", "--disable-gpu", "--disable-quic", "--no-first-run", "--disable-background-networking"]
FLAGS += ["--disable-component-update", "--disable-sync", "--disable-dev-shm-usage", "--window-size=1400,1000"]
FITS = """const box = document.getElementById('search'), style = getComputedStyle(box), pen = document.createElement('canvas').getContext('2d');
pen.font = style.font;
return pen.measureText(box.placeholder).width <= box.clientWidth - parseFloat(style.paddingLeft) - parseFloat(style.paddingRight)"""
problems = []


def start(profile):
    options = webdriver.ChromeOptions()
    for flag in [*FLAGS, f"--user-data-dir={profile}"]:
        options.add_argument(flag)
    options.set_capability("goog:loggingPrefs", {"browser": "ALL"})
    return webdriver.Chrome(service=Service("/usr/bin/chromedriver"), options=options)


def run(browser):
    js = browser.execute_script

    def open_page(path, fragment="", state="ready"):
        browser.get("about:blank")
        browser.get(pathlib.Path(path).resolve().as_uri() + fragment)
        wanted = "map" if state == "map" else "ready"
        WebDriverWait(browser, 60).until(lambda _: js("return document.body.dataset[arguments[0]]", wanted))

    def count():
        return len(browser.find_elements(By.CSS_SELECTOR, "#findings li[data-i]"))

    def search(words):
        box = browser.find_element(By.ID, "search")
        box.clear()
        box.send_keys(words)

    report, types, none, array = sys.argv[1:]
    open_page(report, state="map")
    heading = lambda: browser.find_element(By.CSS_SELECTOR, "#detail h2").text
    print("title:", browser.title)
    print("findings:", count())
    browser.find_element(By.CSS_SELECTOR, "#findings li").click()
    print("first:", heading())
    marks = lambda c: len(browser.find_elements(By.CSS_SELECTOR, f".line i.{c}"))
    print(f"bytes with marks: {marks('r')} read, {marks('w')} written")
    link = js("return location.hash")
    print("colours of the map's line:", js("return useWords[map.uses.get(parseInt(arguments[0].split('=')[1], 16) / lineSize)]", link))
    print("link:", link)
    search("nonsense")
    print("search nonsense:", count(), "findings")
    search("shard.cpp")
    print("search shard.cpp:", count(), "findings")
    search("log_level")
    browser.find_element(By.CSS_SELECTOR, "#hits div").click()
    assert js("return location.hash") == link, "both objects are on one line"

    # A line without a finding, as a link.
    line = js("return '0x' + (map.addresses[0] - map.addresses[0] % lineSize).toString(16)")
    open_page(report, f"#line={line}", state="map")
    print("a deep link opens:", heading())
    search("store::")
    print("an object is found:", browser.find_element(By.CSS_SELECTOR, "#hits div").text)
    browser.find_element(By.ID, "theme").click()
    print("theme:", js("return document.documentElement.dataset.theme"))

    problems.extend(browser.get_log("browser"))
    open_page(types)
    print("types:", count())
    problems.extend(browser.get_log("browser"))
    open_page(none)
    print("without findings:", browser.find_element(By.ID, "detail").text)
    problems.extend(browser.get_log("browser"))
    open_page(array)
    print("lines of one array:", ", ".join(e.text for e in browser.find_elements(By.CSS_SELECTOR, "#findings .name")))
    for width in (1400, 920, 500):
        browser.set_window_size(width, 900)
        print(f"the search field's text fits {width}:", js(FITS))
    problems.extend(browser.get_log("browser"))


with tempfile.TemporaryDirectory() as profile:
    browser = start(profile)
    try:
        run(browser)
    finally:
        browser.quit()
for problem in problems:
    print(problem)
print("problems in the console:", len(problems))
