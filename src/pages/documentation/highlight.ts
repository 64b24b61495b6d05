import library from 'highlight.js/lib/core'
import bash from 'highlight.js/lib/languages/bash'
import javascript from 'highlight.js/lib/languages/javascript'
import json from 'highlight.js/lib/languages/json'
import python from 'highlight.js/lib/languages/python'
import ruby from 'highlight.js/lib/languages/ruby'
import typescript from 'highlight.js/lib/languages/typescript'
import { lazily } from '../../lazily.ts'
import { escapeHtml } from '../../words/escape.ts'

const LANGUAGES = { bash, javascript, json, python, ruby, typescript }
const highlighter = lazily(() => {
  for (const [name, language] of Object.entries(LANGUAGES)) library.registerLanguage(name, language)
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
