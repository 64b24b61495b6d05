import { createRequire } from 'node:module'
import type { HLJSApi } from 'highlight.js'
import type { Marked, Token, Tokens } from 'marked'
import { escapeHtml } from '../../format/escape.ts'
import { lazy } from '../../runtime/lazy.ts'
import { plainWords } from './page.ts'

/** The code highlighter is loaded on demand, with the first page that contains code. */
const highlighter = lazy(() => {
  const library: HLJSApi = require('highlight.js/lib/core')
  library.registerLanguage('bash', require('highlight.js/lib/languages/bash'))
  library.registerLanguage('javascript', require('highlight.js/lib/languages/javascript'))
  library.registerLanguage('json', require('highlight.js/lib/languages/json'))
  library.registerLanguage('python', require('highlight.js/lib/languages/python'))
  library.registerLanguage('ruby', require('highlight.js/lib/languages/ruby'))
  library.registerLanguage('typescript', require('highlight.js/lib/languages/typescript'))
  return library
})

const SHOWN: Record<string, string> = {
  bash: 'Terminal',
  curl: 'curl',
  ruby: 'Ruby',
  json: 'JSON',
  javascript: 'JavaScript',
  typescript: 'TypeScript',
  python: 'Python',
  nginx: 'nginx',
  http: 'HTTP',
}
/** Grammars for code blocks whose language is the name of a tool. */
const GRAMMAR: Record<string, string> = { curl: 'bash' }

/** Marks a Ruby block as a complete program, which tests run. */
const PROGRAM_MARK = 'run'

const require = createRequire(import.meta.url)

export interface Heading {
  id: string
  text: string
  depth: number
}

/** Renders the documentation's Markdown and escapes HTML in it. `prefix` keeps ids unique if a page consists of several texts. */
export function renderMarkdown(markdown: string, prefix = ''): { html: string; headings: Heading[] } {
  const headings: Heading[] = []
  // The Markdown library is loaded on demand, because loading takes time and most runs of the server show no documentation.
  const { Marked: Library }: { Marked: typeof Marked } = require('marked')
  const marked = new Library({ renderer: renderer(headings) })
  const blocks = blocksOf(marked.lexer(markdown))
  const html = blocks.map((block, index) => {
    const codes = block.filter((token) => token.type === 'code') as Tokens.Code[]
    return isLanguageChoice(codes) ? codeTabs(codes, `${prefix}code-${index}`) : marked.parser(block)
  })
  return { html: html.join(''), headings }
}

/** Groups consecutive code blocks, which may show the same example in several languages. */
function blocksOf(tokens: Token[]): Token[][] {
  const blocks: Token[][] = []
  for (const token of tokens.filter(({ type }) => type !== 'space')) {
    const last = blocks.at(-1)
    if (token.type === 'code' && last?.[0]?.type === 'code') last.push(token)
    else blocks.push([token])
  }
  return blocks
}

type Parser = { parser: { parseInline(tokens: Token[]): string; parse(tokens: Token[]): string } }

function renderer(headings: Heading[]) {
  return {
    html: ({ text }: Tokens.HTML | Tokens.Tag) => escapeHtml(text),
    code: (token: Tokens.Code) => codeBlock(token),
    heading(this: Parser, { tokens, depth, text }: Tokens.Heading) {
      const heading = { id: freshId(text, headings), text: plainWords(text), depth }
      headings.push(heading)
      return `<h${depth} id="${heading.id}"><a href="#${heading.id}">${this.parser.parseInline(tokens)}</a></h${depth}>\n`
    },
    paragraph(this: Parser, { tokens }: Tokens.Paragraph) {
      const call = tokens.length === 1 && tokens[0]!.type === 'codespan' ? callOf(tokens[0] as Tokens.Codespan) : null
      return call ?? `<p>${this.parser.parseInline(tokens)}</p>\n`
    },
    list(this: Parser, { ordered, items }: Tokens.List) {
      const entries = items.map((item) => `<li>${this.parser.parse(item.tokens)}</li>\n`).join('')
      const kind = items.every(isField) ? ' class="fields"' : ''
      return ordered ? `<ol>\n${entries}</ol>\n` : `<ul${kind}>\n${entries}</ul>\n`
    },
  }
}

/** Renders the method and path of an operation, such as `GET /v1/products`. Returns null for any other code. */
function callOf({ text }: Tokens.Codespan): string | null {
  const [, method, path] = /^(GET|POST|PATCH|DELETE) (\/\S+)$/.exec(text) ?? []
  if (!method) return null
  return `<p class="call"><span class="method ${method.toLowerCase()}">${method}</span> <code>${escapeHtml(path!)}</code></p>\n`
}

/** Returns whether a list item describes a field: it begins with a name in code and a type in italics. */
function isField({ tokens }: Tokens.ListItem): boolean {
  const inline = (tokens.find(({ type }) => type === 'text' || type === 'paragraph') as Tokens.Text)?.tokens ?? []
  return inline[0]?.type === 'codespan' && inline[2]?.type === 'em'
}

function freshId(text: string, headings: Heading[]): string {
  const id = plainWords(text)
    .toLowerCase()
    .replace(/[^a-z0-9]+/g, '-')
    .replace(/^-|-$/g, '')
  const taken = headings.filter((heading) => heading.id.replace(/-\d+$/, '') === id).length
  return taken === 0 ? id : `${id}-${taken + 1}`
}

/** Parses the info string of a code block: the language and an optional label. */
function infoOf({ lang = '' }: Tokens.Code): { language: string; label: string } {
  const [language = '', ...rest] = lang.split(' ')
  const place = rest.filter((word) => word !== PROGRAM_MARK).join(' ')
  return { language, label: place || (SHOWN[language] ?? 'Text') }
}

function isLanguageChoice(codes: Tokens.Code[]): boolean {
  const labels = codes.map((code) => infoOf(code).label)
  return codes.length > 1 && new Set(labels).size === labels.length
}

function codeBlock(token: Tokens.Code): string {
  const { label } = infoOf(token)
  return `<div class="code"><p class="code-name">${escapeHtml(label)}</p>${preOf(token)}</div>\n`
}

/** Renders tabs that work without scripts: CSS shows the block whose radio button is checked. */
function codeTabs(codes: Tokens.Code[], id: string): string {
  const choices = codes.map((code, index) => {
    const { label } = infoOf(code)
    const checked = index === 0 ? ' checked' : ''
    return `<input type="radio" name="${id}" id="${id}-${index}" value="${escapeHtml(label)}"${checked}><label for="${id}-${index}">${escapeHtml(label)}</label>`
  })
  const blocks = codes.map((code) => `<div class="choice">${preOf(code)}</div>`)
  return `<fieldset class="code tabs"><legend class="unseen">Language</legend>${choices.join('')}${blocks.join('')}</fieldset>\n`
}

/** Renders a code block, which `tabindex` allows readers to scroll with the keyboard. */
function preOf(token: Tokens.Code): string {
  const { language } = infoOf(token)
  return `<pre tabindex="0"><code>${highlighted(token.text, language)}</code></pre>`
}

function highlighted(code: string, language: string): string {
  const grammar = GRAMMAR[language] ?? language
  if (!highlighter().getLanguage(grammar)) return escapeHtml(code)
  return highlighter().highlight(code, { language: grammar }).value
}
