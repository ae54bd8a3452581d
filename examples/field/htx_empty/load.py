"""Requests over four kept connections, for so many seconds: load.py SECONDS"""

import http.client
import sys
import threading
import time

end = time.monotonic() + float(sys.argv[1])


def ask():
    connection = http.client.HTTPConnection("127.0.0.1", 18080)
    while time.monotonic() < end:
        connection.request("GET", "/")
        connection.getresponse().read()


threads = [threading.Thread(target=ask) for _ in range(4)]
for thread in threads:
    thread.start()
for thread in threads:
    thread.join()
