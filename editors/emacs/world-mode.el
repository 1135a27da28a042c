;;; world-mode.el --- worlds, colored  -*- lexical-binding: t -*-
;;; Commentary:
;; Made by editors/grammars.py: change that.  `worldc lsp' answers for the rest, by Eglot.
;;; Code:

(require 'seq)

(defun world--pieces ()
  "Texts and comments of this line, as (BEGIN END FACE); holes are code."
  (let ((end (line-end-position)) (at (line-beginning-position)) (holes '()) (text nil) (pieces '()))
    (while (< at end)
      (let ((this (char-after at)) (next (char-after (1+ at))))
        (cond
         ((and text (eq this ?\\) (eq next ?{))
          (push (list text at 'font-lock-string-face) pieces)
          (setq text nil at (1+ at))
          (push 0 holes))
         ((and text (eq this ?\\)) (setq at (1+ at)))
         ((and text (eq this ?\"))
          (push (list text (1+ at) 'font-lock-string-face) pieces)
          (setq text nil))
         (text nil)
         ((eq this ?\") (setq text at))
         ((and (eq this ?/) (eq next ?/))
          (push (list at end (if (eq (char-after (+ at 2)) ?/) 'font-lock-doc-face 'font-lock-comment-face)) pieces)
          (setq at end))
         ((and holes (eq this ?{)) (setcar holes (1+ (car holes))))
         ((and holes (eq this ?}))
          (if (> (car holes) 0)
              (setcar holes (1- (car holes)))
            (pop holes)
            (setq text (1+ at)))))
        (setq at (1+ at))))
    (when (and text (< text end)) (push (list text end 'font-lock-string-face) pieces))
    (nreverse pieces)))

(defvar world--face nil "Of the piece that was found last.")

(defun world--next-piece (limit)
  "Find the next text or comment before LIMIT; neither goes past its line."
  (let (found)
    (while (and (not found) (< (point) limit))
      (setq found (seq-find (lambda (piece) (and (>= (car piece) (point)) (< (car piece) (cadr piece)))) (world--pieces)))
      (unless found (forward-line 1)))
    (when (and found (<= (cadr found) limit))
      (setq world--face (nth 2 found))
      (set-match-data (list (car found) (cadr found)))
      (goto-char (cadr found)))))

(defconst world-font-lock-keywords
  `((world--next-piece 0 world--face)
    (,(concat "\\_<\\(?:0x[0-9A-Fa-f_]+\\|[0-9][0-9_]*\\(?:\\.[0-9][0-9_]*\\)?\\(?:[eE][+-]?[0-9]+\\)?\\)"
              "\\(?:[ \t]*\\(?:turn\\|deg\\|min\\|rad\\|Hz\\|cm\\|km\\|mm\\|ms\\|h\\|m\\|s\\)\\_>\\(?:\\^-?[0-9]+\\)?\\(?:/\\(?:turn\\|deg\\|min\\|rad\\|Hz\\|cm\\|km\\|mm\\|ms\\|h\\|m\\|s\\)\\_>\\(?:\\^-?[0-9]+\\)?\\)*\\)?")
     0 'font-lock-constant-face)
    ("^[ \t]*\\(private\\|extern\\|intrinsic\\|contract\\|type\\|check\\)[ \t]+[\"A-Za-z]" 1 'font-lock-builtin-face)
    ("^\\(world[ \t]+version\\)\\_>" 1 'font-lock-builtin-face)
    ("\\_<\\(one[ \t]+of\\|given\\)[ \t]*(" 1 'font-lock-builtin-face)
    ("\\(?:^\\|[^.[:alnum:]_]\\)\\(part\\|field\\|fn\\|record\\|use\\|each\\|while\\|break\\|continue\\|return\\|in\\|if\\|else\\|let\\|var\\|true\\|false\\|none\\|self\\)\\_>" 1 'font-lock-keyword-face)
    ("\\_<\\([A-Za-z_][[:alnum:]_]*\\):" 1 'font-lock-variable-name-face)
    ("\\(?:^\\|[^.[:alnum:]_]\\)\\(number\\|fraction\\|meters\\|degrees\\|angle\\|seconds\\|anyQuantity\\|metersOrNumber\\|int\\|u32\\|seed\\|bool\\|name\\|text\\|design\\|path\\|anyPart\\|point\\|place\\|direction\\|offset\\|color\\|vector\\|List\\)\\_>" 1 'font-lock-type-face))
  "What `world-mode' colors, in this order.")

(defvar world-mode-syntax-table
  (let ((table (make-syntax-table)))
    (modify-syntax-entry ?_ "_" table)
    (dolist (operator '(?+ ?- ?* ?% ?< ?> ?= ?! ?& ?| ?^)) (modify-syntax-entry operator "." table))
    (modify-syntax-entry ?/ ". 12" table)
    (modify-syntax-entry ?\n ">" table)
    table)
  "Comments begin with two slashes.")

;;;###autoload
(define-derived-mode world-mode prog-mode "World"
  "For worlds of `worldc'."
  (setq-local comment-start "// " comment-start-skip "///?[ \t]*" comment-end ""
              indent-tabs-mode nil tab-width 2 standard-indent 2
              font-lock-defaults '(world-font-lock-keywords t)))

;;;###autoload
(add-to-list 'auto-mode-alist '("\\.world\\'" . world-mode))

(with-eval-after-load 'eglot
  (defvar eglot-server-programs)
  (add-to-list 'eglot-server-programs '(world-mode "worldc" "lsp")))

(provide 'world-mode)
;;; world-mode.el ends here
