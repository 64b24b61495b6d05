// The rich-text editor, loaded when an editor comes near the window.
import { baseKeymap, chainCommands, exitCode, setBlockType, toggleMark, wrapIn } from 'prosemirror-commands'
import { history, redo, undo } from 'prosemirror-history'
import { inputRules, textblockTypeInputRule, wrappingInputRule } from 'prosemirror-inputrules'
import { keymap } from 'prosemirror-keymap'
import { DOMParser, DOMSerializer, Schema } from 'prosemirror-model'
import { liftListItem, sinkListItem, splitListItem, wrapInList } from 'prosemirror-schema-list'
import { EditorState, Selection } from 'prosemirror-state'
import { EditorView } from 'prosemirror-view'

const SAFE_LINK = /^(https?:\/\/|mailto:)/i

/** The elements of articles that people write by hand. */
const schema = new Schema({
  nodes: {
    doc: { content: 'block+' },
    paragraph: { group: 'block', content: 'inline*', parseDOM: [{ tag: 'p' }], toDOM: () => ['p', 0] },
    heading: {
      group: 'block',
      content: 'inline*',
      attrs: { level: { default: 2 } },
      defining: true,
      parseDOM: [1, 2, 3, 4, 5, 6].map((level) => ({ tag: `h${level}`, attrs: { level } })),
      toDOM: ({ attrs }) => [`h${attrs.level}`, 0],
    },
    blockquote: {
      group: 'block',
      content: 'block+',
      defining: true,
      parseDOM: [{ tag: 'blockquote' }],
      toDOM: () => ['blockquote', 0],
    },
    bullet_list: { group: 'block', content: 'list_item+', parseDOM: [{ tag: 'ul' }], toDOM: () => ['ul', 0] },
    ordered_list: { group: 'block', content: 'list_item+', parseDOM: [{ tag: 'ol' }], toDOM: () => ['ol', 0] },
    list_item: { content: 'paragraph block*', defining: true, parseDOM: [{ tag: 'li' }], toDOM: () => ['li', 0] },
    code_block: {
      group: 'block',
      content: 'text*',
      marks: '',
      code: true,
      defining: true,
      parseDOM: [{ tag: 'pre', preserveWhitespace: 'full' }],
      toDOM: () => ['pre', ['code', 0]],
    },
    horizontal_rule: { group: 'block', parseDOM: [{ tag: 'hr' }], toDOM: () => ['hr'] },
    text: { group: 'inline' },
    image: {
      group: 'inline',
      inline: true,
      draggable: true,
      attrs: { src: {}, alt: { default: '' } },
      parseDOM: [
        { tag: 'img[src]', getAttrs: (dom) => ({ src: dom.getAttribute('src'), alt: dom.getAttribute('alt') ?? '' }) },
      ],
      toDOM: ({ attrs: { src, alt } }) => ['img', { src, alt }],
    },
    hard_break: {
      group: 'inline',
      inline: true,
      selectable: false,
      parseDOM: [{ tag: 'br' }],
      toDOM: () => ['br'],
    },
  },
  marks: {
    link: {
      attrs: { href: {}, title: { default: null } },
      inclusive: false,
      parseDOM: [
        {
          tag: 'a[href]',
          getAttrs: (dom) =>
            SAFE_LINK.test(dom.getAttribute('href')) && {
              href: dom.getAttribute('href'),
              title: dom.getAttribute('title'),
            },
        },
      ],
      toDOM: ({ attrs: { href, title } }) => ['a', title ? { href, title } : { href }, 0],
    },
    em: { parseDOM: [{ tag: 'em' }, { tag: 'i' }], toDOM: () => ['em', 0] },
    strong: { parseDOM: [{ tag: 'strong' }, { tag: 'b' }], toDOM: () => ['strong', 0] },
    code: { parseDOM: [{ tag: 'code' }], toDOM: () => ['code', 0] },
  },
})

/** Elements that the editor keeps, or replaces with an equivalent. */
const KEPT = new Set(
  'P H1 H2 H3 H4 H5 H6 BLOCKQUOTE UL OL LI PRE HR IMG BR A EM I STRONG B CODE BODY HEAD HTML'.split(' '),
)

const { nodes, marks } = schema

const COMMANDS = {
  strong: toggleMark(marks.strong),
  em: toggleMark(marks.em),
  h2: heading(2),
  h3: heading(3),
  bullets: wrapInList(nodes.bullet_list),
  numbers: wrapInList(nodes.ordered_list),
  quote: wrapIn(nodes.blockquote),
  undo,
  redo,
}

/** Toggles between a heading and a paragraph. */
function heading(level) {
  return (state, dispatch) => {
    const { parent } = state.selection.$from
    const isSame = parent.type === nodes.heading && parent.attrs.level === level
    const change = isSame ? setBlockType(nodes.paragraph) : setBlockType(nodes.heading, { level })
    return change(state, dispatch)
  }
}

const breakLine = chainCommands(exitCode, (state, dispatch) => {
  dispatch?.(state.tr.replaceSelectionWith(nodes.hard_break.create()).scrollIntoView())
  return true
})

const KEYS = {
  'Mod-b': COMMANDS.strong,
  'Mod-i': COMMANDS.em,
  'Mod-z': undo,
  'Mod-y': redo,
  'Shift-Mod-z': redo,
  'Shift-Enter': breakLine,
  Enter: splitListItem(nodes.list_item),
  'Mod-[': liftListItem(nodes.list_item),
  'Mod-]': sinkListItem(nodes.list_item),
}

const rules = inputRules({
  rules: [
    textblockTypeInputRule(/^(#{2,3})\s$/, nodes.heading, ([, hashes]) => ({ level: hashes.length })),
    wrappingInputRule(/^\s*[-*]\s$/, nodes.bullet_list),
    wrappingInputRule(/^1\.\s$/, nodes.ordered_list),
    wrappingInputRule(/^\s*>\s$/, nodes.blockquote),
  ],
})

/** An editor that writes its content back to a text area. */
export class Writing {
  /** Returns whether the editor can hold the HTML without loss. */
  static keeps(text) {
    const elements = [...documentOf(text).querySelectorAll('*')]
    return elements.every(({ tagName, attributes }) => {
      const names = [...attributes].map(({ name }) => name)
      return KEPT.has(tagName) && names.every((name) => ['href', 'title', 'src', 'alt'].includes(name))
    })
  }

  /** `onPicture` receives a picture file that was dropped or pasted. */
  constructor(place, source, onPicture) {
    this.source = source
    const isPlain = isTypedPlainly(source)
    const doc = read(source.value, isPlain)
    const plugins = [history(), rules, keymap(KEYS), keymap(baseKeymap)]
    const label = source.labels?.[0]?.textContent?.trim() || 'Text'
    this.view = new EditorView(place, {
      state: EditorState.create({ doc, plugins }),
      handlePaste: (_, event) => taken(event.clipboardData, onPicture),
      handleDrop: (_, event) => taken(event.dataTransfer, onPicture),
      attributes: { class: 'rich writing', 'aria-label': label, 'aria-multiline': 'true', role: 'textbox' },
      dispatchTransaction: (transaction) => {
        this.view.updateState(this.view.state.apply(transaction))
        if (transaction.docChanged) this.store()
      },
    })
    this.wasPlain = isPlain
    this.typed = source.value
    if (isPlain) this.store()
  }

  /** Takes the focus from the text area and puts the cursor after the same number of characters. */
  focusAt(characters) {
    const { state, dispatch } = this.view
    // The extra letter preserves a trailing space; a cursor inside a tag moves before the tag.
    const typed = `${this.typed.slice(0, characters).replace(/<[^<>]*$/, '')}x`
    const at = Selection.atEnd(read(typed, this.wasPlain)).head - 1
    dispatch(state.tr.setSelection(Selection.near(state.doc.resolve(Math.min(at, state.doc.content.size)), -1)))
    this.view.focus()
  }

  destroy() {
    this.view.destroy()
  }

  press(command) {
    if (command === 'link') this.link()
    else COMMANDS[command]?.(this.view.state, this.view.dispatch)
    this.view.focus()
  }

  link() {
    const { state, dispatch } = this.view
    const isLinked = state.doc.rangeHasMark(state.selection.from, state.selection.to, marks.link)
    if (isLinked) return toggleMark(marks.link)(state, dispatch)
    const href = window.prompt('Link URL', 'https://')
    if (!href || !SAFE_LINK.test(href)) return
    if (state.selection.empty)
      dispatch(state.tr.replaceSelectionWith(schema.text(href, [marks.link.create({ href })]), false))
    else toggleMark(marks.link, { href })(state, dispatch)
  }

  insertPicture(src, alt) {
    if (!/^https?:\/\//i.test(src)) return
    this.view.dispatch(this.view.state.tr.replaceSelectionWith(nodes.image.create({ src, alt })).scrollIntoView())
    this.view.focus()
  }

  store() {
    const { doc } = this.view.state
    const box = document.createElement('div')
    box.append(DOMSerializer.fromSchema(schema).serializeFragment(doc.content))
    const isEmpty = doc.childCount === 1 && doc.firstChild.isTextblock && doc.firstChild.content.size === 0
    this.source.value = isEmpty ? '' : box.innerHTML
    this.source.dispatchEvent(new Event('input', { bubbles: true }))
  }
}

/** Whether someone typed plain text into the text area before the editor loaded. */
function isTypedPlainly({ value, defaultValue }) {
  return value !== defaultValue && !/<[a-z/!]/i.test(value)
}

function read(text, isPlain) {
  return DOMParser.fromSchema(schema).parse(documentOf(isPlain ? paragraphs(text) : text).body)
}

/** Converts plain text to paragraphs, which empty lines separate. */
function paragraphs(text) {
  const escaped = text.replaceAll('&', '&amp;').replaceAll('<', '&lt;')
  return escaped
    .split(/\n{2,}/)
    .map((one) => `<p>${one.replaceAll('\n', '<br>')}</p>`)
    .join('')
}

/** Returns whether the data contained a picture, which `onPicture` then received. */
function taken(data, onPicture) {
  const picture = [...(data?.files ?? [])].find(({ type }) => type.startsWith('image/'))
  if (picture) onPicture(picture)
  return picture !== undefined
}

/** Parses HTML into a separate document, in which no script runs and nothing loads. */
function documentOf(text) {
  return new window.DOMParser().parseFromString(text, 'text/html')
}
