import { autocompletion, completionKeymap } from "@codemirror/autocomplete";
import { defaultKeymap, history, historyKeymap, indentWithTab } from "@codemirror/commands";
import { javascript } from "@codemirror/lang-javascript";
import { python } from "@codemirror/lang-python";
import {
  bracketMatching,
  foldGutter,
  foldKeymap,
  HighlightStyle,
  indentOnInput,
  indentUnit,
  syntaxHighlighting,
} from "@codemirror/language";
import { type Diagnostic, lintGutter, setDiagnostics } from "@codemirror/lint";
import { highlightSelectionMatches, searchKeymap } from "@codemirror/search";
import { Compartment, EditorState } from "@codemirror/state";
import {
  drawSelection,
  EditorView,
  highlightActiveLine,
  highlightSpecialChars,
  keymap,
  lineNumbers,
} from "@codemirror/view";
import { tags } from "@lezer/highlight";

export type CodeLanguage = "javascript" | "python" | "json";

/** What is wrong at a place of the text; lines and columns begin with 1. */
export interface CodeProblem {
  severity: "error" | "warning";
  message: string;
  line?: number | undefined;
  column?: number | undefined;
}

export interface Editor {
  /** Puts another text there, as a step that can be undone. */
  setText(text: string): void;
  setLanguage(language: CodeLanguage): void;
  setProblems(problems: readonly CodeProblem[]): void;
  setReadOnly(readOnly: boolean): void;
  focus(): void;
  destroy(): void;
}

const languages = {
  javascript: () => javascript({ typescript: true }),
  python: () => python(),
  json: () => javascript(),
};

/** Colours are tokens, so that both themes come by themselves. */
const theme = EditorView.theme({
  "&": { height: "100%", fontSize: "var(--text-s)", backgroundColor: "var(--surface)", color: "var(--ink)" },
  "&.cm-focused": { outline: "none" },
  ".cm-scroller": { fontFamily: "var(--font-code)", lineHeight: "1.55" },
  ".cm-gutters": { backgroundColor: "var(--sunken)", color: "var(--ink-3)", border: "0" },
  ".cm-activeLine": { backgroundColor: "color-mix(in oklab, var(--hover) 60%, transparent)" },
  ".cm-cursor": { borderLeftColor: "var(--ink)" },
  "&.cm-focused .cm-selectionBackground, .cm-selectionBackground, ::selection": {
    backgroundColor: "var(--accent-soft) !important",
  },
  ".cm-panels, .cm-tooltip": {
    backgroundColor: "var(--surface)",
    color: "var(--ink)",
    border: "1px solid var(--line-strong)",
  },
  ".cm-searchMatch": { backgroundColor: "var(--warn-soft)" },
});

const colours = HighlightStyle.define([
  { tag: [tags.keyword, tags.operatorKeyword, tags.modifier, tags.self], color: "var(--accent-text)" },
  { tag: [tags.string, tags.special(tags.string), tags.regexp], color: "var(--warn)" },
  { tag: [tags.number, tags.bool, tags.null], color: "var(--info)" },
  { tag: [tags.comment, tags.lineComment, tags.blockComment], color: "var(--ink-2)", fontStyle: "italic" },
  { tag: [tags.className, tags.typeName, tags.definition(tags.typeName)], color: "var(--ink)", fontWeight: "600" },
  { tag: [tags.function(tags.definition(tags.variableName)), tags.definition(tags.propertyName)], fontWeight: "600" },
]);

/**
 * An editor for source text. Tab indents; Escape and then Tab leaves it (WCAG 2.1.2), which `label` says to screen readers.
 * @param onchange gets the whole text after each change of the person
 */
export function mountEditor(
  parent: HTMLElement,
  options: {
    text: string;
    language: CodeLanguage;
    label: string;
    readOnly: boolean;
    onchange: (text: string) => void;
    onsave: () => void;
  },
): Editor {
  const language = new Compartment();
  const readOnly = new Compartment();
  const locked = (on: boolean) => [EditorState.readOnly.of(on), EditorView.editable.of(!on)];
  // In a shadow root its style sheets are adopted; in the page they would be inline styles, which the policy refuses.
  const root = parent.shadowRoot ?? parent.attachShadow({ mode: "open" });
  const view = new EditorView({
    root,
    parent: root,
    state: EditorState.create({
      doc: options.text,
      extensions: [
        lineNumbers(),
        foldGutter(),
        lintGutter(),
        highlightSpecialChars(),
        history(),
        drawSelection(),
        indentOnInput(),
        indentUnit.of("    "),
        bracketMatching(),
        autocompletion(),
        highlightActiveLine(),
        highlightSelectionMatches(),
        syntaxHighlighting(colours),
        theme,
        keymap.of([
          { key: "Mod-s", preventDefault: true, run: () => (options.onsave(), true) },
          ...completionKeymap,
          ...searchKeymap,
          ...historyKeymap,
          ...foldKeymap,
          ...defaultKeymap,
          indentWithTab,
        ]),
        language.of(languages[options.language]()),
        readOnly.of(locked(options.readOnly)),
        EditorView.contentAttributes.of({ "aria-label": options.label, tabindex: "0" }),
        EditorView.updateListener.of((update) => {
          if (update.docChanged) options.onchange(update.state.doc.toString());
        }),
      ],
    }),
  });
  return {
    setText(text) {
      if (view.state.doc.toString() !== text)
        view.dispatch({ changes: { from: 0, to: view.state.doc.length, insert: text } });
    },
    setLanguage: (next) => view.dispatch({ effects: language.reconfigure(languages[next]()) }),
    setProblems: (problems) => view.dispatch(setDiagnostics(view.state, problems.map(placeIn(view.state)))),
    setReadOnly: (on) => view.dispatch({ effects: readOnly.reconfigure(locked(on)) }),
    focus: () => view.focus(),
    destroy: () => view.destroy(),
  };
}

/** A problem from its column, or the first letter of its line, to the end of the line. */
function placeIn(state: EditorState): (problem: CodeProblem) => Diagnostic {
  return ({ severity, message, line = 1, column }) => {
    const { from, to, text } = state.doc.line(Math.min(Math.max(line, 1), state.doc.lines));
    const start = column === undefined ? from + text.length - text.trimStart().length : from + column - 1;
    return { severity, message, from: Math.min(start, to), to };
  };
}
