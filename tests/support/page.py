"""The HTML report as the tests see it: its elements, its text, the data in it. Python's parser takes what it is given, so
that every element is closed is checked here."""

import base64
import gzip
import html.parser
import re

VOID = {"meta", "br", "hr", "img", "input", "link"}


class Page(html.parser.HTMLParser):
    """`faults`: elements that are not closed in order; `ids`, `links` (fragments), `headings` (level, title)."""

    def __init__(self, text):
        super().__init__(convert_charrefs=True)
        self.faults, self.ids, self.links, self.headings, self.tags = [], [], [], [], []
        self.attributes, self.words = set(), []
        self._open, self._heading = [], None
        self.source = text
        self.feed(text)
        self.close()
        self.faults += [f"{tag} is not closed" for tag in self._open]

    def handle_starttag(self, tag, attrs):
        self.tags.append(tag)
        for name, value in attrs:
            self.attributes.add(name)
            if name == "id":
                self.ids.append(value)
            if name == "href":
                self.links.append(value)
        if tag not in VOID and not self.get_starttag_text().endswith("/>"):
            self._open.append(tag)
        if re.fullmatch("h[1-6]", tag):
            self._heading = (int(tag[1]), "")
        self.words.append(" ")

    def handle_startendtag(self, tag, attrs):
        self.handle_starttag(tag, attrs)

    def handle_endtag(self, tag):
        if not self._open or self._open.pop() != tag:
            self.faults.append(f"</{tag}> at line {self.getpos()[0]}")
        if self._heading and tag == f"h{self._heading[0]}":
            self.headings.append(self._heading)
            self._heading = None
        self.words.append(" ")

    def handle_data(self, data):
        if self._open and self._open[-1] in ("script", "style"):
            return
        self.words.append(data)
        if self._heading:
            self._heading = (self._heading[0], self._heading[1] + data)

    @property
    def text(self):
        return "".join(self.words)

    def data(self):
        """The JSON that the page carries."""
        kind, block = re.search(r'<script type="([^"]*)" id="data">([^<]*)</script>', self.source).groups()
        return gzip.decompress(base64.b64decode(block)).decode() if kind == "text/plain" else block

    def stable(self, stable_json):
        """The page without the one value that two runs differ in; its data as `stable_json` gives it."""
        text = re.sub(r'(<script type="[^"]*" id="data">)[^<]*', r"\1", self.source)
        return re.sub(r'<p class="origin">[^<]*', "", text) + stable_json(self.data())
