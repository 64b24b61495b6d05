import { createRequire } from 'node:module'
import type { HLJSApi } from 'highlight.js'
import { lazily } from '../../lazily.ts'
import { escapeHtml } from '../../words/escape.ts'

const require = createRequire(import.meta.url)

/** Loaded with the first page that shows code. */
const highlighter = lazily(() => {
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
/** Names under which blocks of code are shown, where they are those of a tool. */
const GRAMMAR: Record<string, string> = { curl: 'bash' }

/** What a reader calls the language of a block. */
export function languageName(language: string): string {
  return SHOWN[language] ?? 'Text'
}

/** Code as HTML with classes for its parts; languages that are not known stay plain. */
export function highlighted(code: string, language: string): string {
  const grammar = GRAMMAR[language] ?? language
  if (!highlighter().getLanguage(grammar)) return escapeHtml(code)
  return highlighter().highlight(code, { language: grammar }).value
}
