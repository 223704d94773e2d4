"""Headless Chromium for tests, by its DevTools protocol: what does a page ask for, and what does it complain of?"""
import json
import re
import shutil
import subprocess

NAMES = "chromium-headless-shell", "chromium", "chromium-browser", "google-chrome"
PATH = next(filter(None, map(shutil.which, NAMES)), None)
FLAGS = ("--headless", "--no-sandbox", "--disable-gpu", "--disable-dev-shm-usage", "--disable-background-networking",
         "--remote-debugging-port=0")
COMPLAINTS = "Network.loadingFailed", "Log.entryAdded", "Runtime.exceptionThrown", "Runtime.consoleAPICalled"


class Browser:
    """One tab.

    Parameters
    ----------
    folder : path
        Where the browser keeps its profile.
    """

    def __init__(self, folder):
        import websocket        # websocket-client, which jupyter-server brings

        command = [PATH, *FLAGS, f"--user-data-dir={folder}"]
        self.process = subprocess.Popen(command, stderr=subprocess.PIPE, text=True)
        address = next(found[1] for line in self.process.stderr if (found := re.search(r"listening on (ws://\S+)", line)))
        self.socket = websocket.create_connection(address, timeout=60, suppress_origin=True)
        self.calls, self.session, self.events = 0, {}, []
        target = self.call("Target.createTarget", url="about:blank")["targetId"]
        self.session = {"sessionId": self.call("Target.attachToTarget", targetId=target, flatten=True)["sessionId"]}
        for domain in ("Page", "Network", "Runtime", "Log"):
            self.call(f"{domain}.enable")

    def close(self):
        self.socket.close()
        self.process.terminate()
        self.process.wait(20)
        self.process.stderr.close()

    def call(self, method, **parameters):
        """The result of a command; events that come meanwhile are kept."""
        self.calls += 1
        self.socket.send(json.dumps({"id": self.calls, "method": method, "params": parameters, **self.session}))
        while (answer := json.loads(self.socket.recv())).get("id") != self.calls:
            self.events.append(answer)
        return answer["result"]

    def evaluate(self, code):
        """The value of a JavaScript expression, awaited."""
        return self.call("Runtime.evaluate", expression=code, awaitPromise=True, returnByValue=True)["result"].get("value")

    def open(self, url, width):
        """Load a page; gives the addresses that it asked for, and its errors: of the console, of scripts, of loading."""
        self.call("Emulation.setDeviceMetricsOverride", width=width, height=800, deviceScaleFactor=1, mobile=False)
        self.events.clear()
        self.call("Page.navigate", url=url)
        while not self.told("Page.loadEventFired"):
            self.events.append(json.loads(self.socket.recv()))
        self.evaluate("new Promise(done => setTimeout(done, 50))")
        asked = [event["request"]["url"] for event in self.told("Network.requestWillBeSent")]
        return asked, [event for name in COMPLAINTS for event in self.told(name)]

    def told(self, name):
        return [event["params"] for event in self.events if event.get("method") == name]
