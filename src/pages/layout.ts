import { html } from 'hono/html'

export type Page = ReturnType<typeof html>

const STYLE = `
  :root { color-scheme: light dark; --ink: light-dark(#1a1a1a, #ececec); --quiet: light-dark(#6b6b6b, #a0a0a0); --line: light-dark(#e4e4e4, #333); --accent: light-dark(#0b5fae, #7db8f0); }
  body { font: 16px/1.6 system-ui, sans-serif; color: var(--ink); max-width: 44rem; margin: 4rem auto; padding: 0 1.25rem; }
  h1 { font-size: 1.6rem; letter-spacing: -0.01em; margin: 0 0 0.5rem; }
  h2 { font-size: 1.2rem; margin: 2.5rem 0 0.5rem; } h3 { font-size: 1rem; margin: 1.5rem 0 0.5rem; }
  code, pre { font: 0.9em/1.5 ui-monospace, monospace; }
  pre { border: 1px solid var(--line); border-radius: 8px; padding: 1rem; overflow-x: auto; }
  a { color: var(--accent); }
  dt { margin-top: 1.25rem; } dd { margin: 0.15rem 0 0; color: var(--quiet); }
  .quiet { color: var(--quiet); }`

/** A page of the documentation. */
export function page(title: string, content: Page): Page {
  return html`<!doctype html><html lang="en"><head><meta charset="utf-8"><meta name="viewport" content="width=device-width">
    <title>${title} · Shopwright</title><style>${STYLE}</style></head><body>${content}</body></html>`
}
