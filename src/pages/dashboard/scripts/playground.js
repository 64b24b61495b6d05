import { autocompletion, closeBrackets, closeBracketsKeymap, completionKeymap } from '@codemirror/autocomplete'
import { defaultKeymap, history, historyKeymap } from '@codemirror/commands'
import { bracketMatching, indentOnInput, indentUnit, StreamLanguage, syntaxHighlighting } from '@codemirror/language'
import { ruby } from '@codemirror/legacy-modes/mode/ruby'
import { EditorState } from '@codemirror/state'
import { drawSelection, EditorView, highlightActiveLine, keymap, lineNumbers } from '@codemirror/view'
import { Controller } from '@hotwired/stimulus'
import { classHighlighter } from '@lezer/highlight'
import { application } from 'dashboard/main'

/** Turns the program's text area into a code editor. The text area remains and is what the form submits. */
class Program extends Controller {
  static targets = ['text']
  static values = { nonce: String, completions: String }

  connect() {
    const { textTarget: text } = this
    this.view = new EditorView({
      doc: text.value,
      extensions: [...LOOKS, ...this.behaviour(), EditorView.cspNonce.of(this.nonceValue)],
    })
    text.before(this.view.dom)
    text.hidden = true
  }

  disconnect() {
    this.view.destroy()
    this.textTarget.hidden = false
  }

  behaviour() {
    const keep = EditorView.updateListener.of((update) => {
      if (update.docChanged) this.textTarget.value = update.state.doc.toString()
    })
    const dryRun = () => {
      this.element.requestSubmit(this.element.querySelector('[value="dry_run"]'))
      return true
    }
    return [
      keep,
      autocompletion({ override: [(context) => this.complete(context)], icons: false }),
      keymap.of([
        { key: 'Mod-Enter', run: dryRun },
        ...closeBracketsKeymap,
        ...completionKeymap,
        ...defaultKeymap,
        ...historyKeymap,
      ]),
    ]
  }

  /** Completes paths inside quotes, fields where a name is expected, and helpers elsewhere. */
  async complete(context) {
    const path = context.matchBefore(/["']\/[\w/{}-]*/)
    if (path) return offered(path.from + 1, (await this.words()).paths)
    const field = context.matchBefore(/(?:\[["']|[(,]\s*:?)[a-z_]+/)
    if (field) return offered(field.to - /[a-z_]+$/.exec(field.text)[0].length, (await this.words()).fields)
    const word = context.matchBefore(/#?\s?[a-z_]+/)
    if (!word && !context.explicit) return null
    return offered(word ? word.from : context.pos, (await this.words()).helpers)
  }

  words() {
    this.loading ??= fetch(this.completionsValue).then((response) => response.json())
    return this.loading
  }
}

function offered(from, options) {
  return { from, options, validFor: /^[\w/{}# :-]*$/ }
}

const LOOKS = [
  lineNumbers(),
  history(),
  drawSelection(),
  highlightActiveLine(),
  bracketMatching(),
  closeBrackets(),
  indentOnInput(),
  indentUnit.of('  '),
  StreamLanguage.define(ruby),
  syntaxHighlighting(classHighlighter),
  EditorState.tabSize.of(2),
  EditorView.lineWrapping,
  EditorView.contentAttributes.of({ tabindex: '0', 'aria-labelledby': 'code-label', 'aria-multiline': 'true' }),
]

application.register('program', Program)
