// The search of the manual, over the rows of search.js: [kind, title, where, first words, all words].
(function () {
  "use strict";
  var form = document.getElementById("search"), field = form.querySelector("input"), found = document.getElementById("found");
  var most = 30, chosen = -1;

  // How well a row answers one word; 0: not at all.
  function answers(row, word) {
    var title = row[1].toLowerCase(), name = title.slice(title.lastIndexOf(".") + 1);
    if (title === word || name === word) return 100;
    if (name.indexOf(word) === 0) return 60;
    if (title.indexOf(word) >= 0) return 40;
    var at = (" " + row[4]).indexOf(" " + word);
    if (at < 0) return 0;
    return (" " + row[4] + " ").indexOf(" " + word + " ") >= 0 ? 12 : 6;
  }

  function score(row, words) {
    var sum = 0;
    for (var i = 0; i < words.length; i++) {
      var one = answers(row, words[i]);
      if (!one) return 0;
      sum += one;
    }
    return sum + (row[0] === "Cookbook" ? 5 : 0);
  }

  // Little words say nothing; a question may hold them.
  function wordsOf(text) {
    var all = text.toLowerCase().split(/[^\w.\u0080-\uffff]+/).filter(Boolean);
    var long = all.filter(function (word) { return word.length > 2; });
    return long.length ? long : all;
  }

  function search(text) {
    var words = wordsOf(text), hits = [];
    if (!words.length) return hits;
    manualIndex.forEach(function (row, i) {
      var points = score(row, words);
      if (points) hits.push([points, i]);
    });
    hits.sort(function (a, b) { return b[0] - a[0] || a[1] - b[1]; });
    return hits.slice(0, most).map(function (hit) { return manualIndex[hit[1]]; });
  }

  function put(parent, tag, name, text) {
    var made = document.createElement(tag);
    if (name) made.className = name;
    made.textContent = text;
    return parent.appendChild(made);
  }

  function show() {
    var rows = search(field.value);
    found.textContent = "";
    chosen = -1;
    found.hidden = !field.value.trim();
    if (!rows.length) put(found, "li", "none", "Nothing says so. One word less?");
    rows.forEach(function (row) {
      var link = put(put(found, "li", "", ""), "a", "", "");
      link.href = row[2];
      put(link, "b", "", row[1]);
      put(link, "i", "", row[0]);
      put(link, "span", "", row[3]);
    });
  }

  function choose(by) {
    var links = found.querySelectorAll("a");
    if (!links.length) return;
    if (chosen >= 0) links[chosen].classList.remove("chosen");
    chosen = (chosen + by + links.length) % links.length;
    links[chosen].classList.add("chosen");
    links[chosen].scrollIntoView({block: "nearest"});
  }

  field.addEventListener("input", show);
  field.addEventListener("focus", function () { if (field.value) show(); });
  field.addEventListener("keydown", function (event) {
    if (event.key === "ArrowDown") choose(1);
    else if (event.key === "ArrowUp") choose(chosen < 0 ? 0 : -1);
    else if (event.key === "Escape") { field.value = ""; show(); field.blur(); }
    else return;
    event.preventDefault();
  });
  form.addEventListener("submit", function (event) {
    var links = found.querySelectorAll("a");
    event.preventDefault();
    if (links.length) location.href = links[Math.max(chosen, 0)].href;
  });
  document.addEventListener("keydown", function (event) {
    if (event.key !== "/" || event.target === field) return;
    event.preventDefault();
    field.focus();
  });
  document.addEventListener("click", function (event) { if (!form.contains(event.target)) found.hidden = true; });
  form.hidden = false;
  window.manualSearch = search;
})();
