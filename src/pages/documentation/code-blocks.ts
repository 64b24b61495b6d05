import type { Tokens } from 'marked'
import { escapeHtml } from '../../words/escape.ts'
import { highlighted, languageName } from './highlight.ts'

/** What the first line of a block says: its language, and after it where the code goes. */
function infoOf({ lang = '' }: Tokens.Code): { language: string; label: string } {
  const [language = '', ...rest] = lang.split(' ')
  const place = rest.filter((word) => word !== COMPLETE).join(' ')
  return { language, label: place || languageName(language) }
}

/** Marks a block of Ruby as a whole program, which tests run. */
const COMPLETE = 'run'

/** Whether blocks of code show one thing in several languages. */
export function isLanguageChoice(codes: Tokens.Code[]): boolean {
  const labels = codes.map((code) => infoOf(code).label)
  return codes.length > 1 && new Set(labels).size === labels.length
}

export function codeBlock(token: Tokens.Code): string {
  const { label } = infoOf(token)
  return `<div class="code"><p class="code-name">${escapeHtml(label)}</p>${preOf(token)}</div>\n`
}

/** A choice of languages that works without a script: radio buttons, each before the block that it shows. */
export function codeTabs(codes: Tokens.Code[], id: string): string {
  const choices = codes.map((code, index) => {
    const { label } = infoOf(code)
    const checked = index === 0 ? ' checked' : ''
    return `<input type="radio" name="${id}" id="${id}-${index}" value="${escapeHtml(label)}"${checked}><label for="${id}-${index}">${escapeHtml(label)}</label>`
  })
  const blocks = codes.map((code) => `<div class="choice">${preOf(code)}</div>`)
  return `<fieldset class="code tabs"><legend class="unseen">Language</legend>${choices.join('')}${blocks.join('')}</fieldset>\n`
}

/** It can be scrolled by keyboard. */
function preOf(token: Tokens.Code): string {
  const { language } = infoOf(token)
  return `<pre tabindex="0"><code>${highlighted(token.text, language)}</code></pre>`
}
