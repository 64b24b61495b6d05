import { html } from 'hono/html'
import type { Page } from '../../parts/markup.ts'
import { shortened } from '../kit/words.ts'

/** The maximum number of values in a tree. The rest is left out. */
const MOST_VALUES = 500
const MAX_TEXT = 500
const OPEN_DEPTH = 2

/** Renders a program with line numbers. `wrong` is the number of the line to mark, from 1. */
export function numberedCode(text: string, wrong: number | null = null): Page {
  const lines = text.trimEnd().split('\n')
  const rows = lines.map((line, index) => {
    const number = index + 1
    return html`<span class="code-line${number === wrong ? ' wrong-line' : ''}" data-line="${number}">${line}
</span>`
  })
  return html`<pre class="code numbered" tabindex="0" role="region" aria-label="The program"><code>${rows}</code></pre>`
}

/** Renders content that reloads itself every 5 seconds, or by a link if scripts are off. */
export function live(id: string, content: Page): Page {
  return html`<turbo-frame id="${id}" target="_top" data-controller="refresh" data-refresh-seconds-value="5">${content}</turbo-frame>
<noscript><p class="reload"><a href="">Reload to see updates</a></p></noscript>`
}

export function jsonTree(value: unknown): Page {
  const room = { left: MOST_VALUES }
  return html`<div class="tree">${branch(null, value, 0, room)}</div>`
}

function branch(name: string | null, value: unknown, depth: number, room: { left: number }): Page {
  room.left -= 1
  if (room.left < 0) return html``
  const key = name === null ? '' : html`<span class="tree-key">${name}</span>: `
  if (typeof value !== 'object' || value === null) return html`<div class="leaf">${key}${leaf(value)}</div>`
  const entries = Object.entries(value)
  const isList = Array.isArray(value)
  const words = isList ? `${entries.length} in a list` : `${entries.length} fields`
  if (entries.length === 0)
    return html`<div class="leaf">${key}<span class="none">${isList ? 'empty list' : 'empty'}</span></div>`
  const inside = entries.map(([one, child]) => branch(one, child, depth + 1, room))
  return html`<details${depth < OPEN_DEPTH ? html` open` : ''}><summary>${key}<span class="none">${words}</span></summary><div class="tree-inside">${inside}</div></details>`
}

function leaf(value: unknown): Page {
  if (typeof value === 'string') return html`<span class="tree-text">${shortened(value, MAX_TEXT)}</span>`
  return html`<span class="tree-value">${value === null ? 'nil' : String(value)}</span>`
}
