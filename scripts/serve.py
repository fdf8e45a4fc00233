"""Serve the built book on a free port of this machine and print the address."""

import functools
import sys
from http.server import SimpleHTTPRequestHandler, ThreadingHTTPServer
from pathlib import Path

HTML = Path(__file__).resolve().parent.parent / "_build" / "html"


class Handler(SimpleHTTPRequestHandler):
    extensions_map = {
        **SimpleHTTPRequestHandler.extensions_map,
        ".js": "text/javascript",
        ".mjs": "text/javascript",
        ".woff2": "font/woff2",
    }

    def log_message(self, *args):
        pass


def server(folder=HTML, port=0):
    """A server of `folder` on 127.0.0.1; port 0 takes a free one (see .server_port)."""
    return ThreadingHTTPServer(("127.0.0.1", port), functools.partial(Handler, directory=str(folder)))


def main():
    if not (HTML / "index.html").exists():
        sys.exit("There is no built book: run `make html` first.")
    with server(port=int(sys.argv[1]) if len(sys.argv) > 1 else 0) as httpd:
        print(f"The book: http://127.0.0.1:{httpd.server_port}/    (Ctrl-C ends it)", flush=True)
        try:
            httpd.serve_forever()
        except KeyboardInterrupt:
            print()


if __name__ == "__main__":
    main()
