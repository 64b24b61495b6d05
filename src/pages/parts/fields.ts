import { html } from 'hono/html'
import type { Page } from './document.ts'
import type { Problem } from './problem.ts'

interface FieldOptions {
  id: string
  label: string | Page
  /** Under the label. */
  hint?: string | Page
  problems: readonly Problem[]
  /** The input itself; `described` are its attributes that name hint and problem. */
  input(described: Page): Page
}

/** A labelled input with its hint and what is wrong with it, for eyes and for screen readers. */
export function field({ id, label, hint, problems, input }: FieldOptions): Page {
  const problem = problems.find((one) => one.field === id)
  return html`<div class="field${problem ? ' wrong' : ''}">
<label for="${id}">${label}</label>
${hint ? html`<p class="hint" id="${id}-hint">${hint}</p>` : ''}${problem ? html`<p class="problem" id="${id}-problem"><span class="unseen">Problem: </span>${problem.message}</p>` : ''}
${input(describedBy(id, hint, problems))}
</div>`
}

/** The attributes of an input that name its hint and what is wrong with it. */
export function describedBy(id: string, hint: string | Page | undefined, problems: readonly Problem[]): Page {
  const isWrong = problems.some((one) => one.field === id)
  const names = [hint && `${id}-hint`, isWrong && `${id}-problem`].filter(Boolean).join(' ')
  return html`${names ? html` aria-describedby="${names}"` : ''}${isWrong ? html` aria-invalid="true"` : ''}`
}

/** The problems of a group of inputs, above them. */
export function problemsAt(problems: readonly Problem[], id: string): Page {
  return html`${problems.filter(({ field: at }) => at === id).map(({ message }) => html`<p class="problem">${message}</p>`)}`
}

/** Everything that is wrong, each leading to its field. The browser begins reading here. */
export function summaryOf(problems: readonly Problem[], title = 'Please check what you entered'): Page {
  if (problems.length === 0) return html``
  const lines = problems.map(({ field, message }) =>
    field === null ? html`<li>${message}</li>` : html`<li><a href="#${field}">${message}</a></li>`,
  )
  return html`<div class="notice bad" role="alert" tabindex="-1" autofocus aria-labelledby="problems">
<h2 id="problems">${title}</h2><ul>${lines}</ul></div>`
}

/** Something that happened, in one sentence. */
export function notice(kind: 'good' | 'bad' | 'plain', text: string | Page): Page {
  return html`<div class="notice ${kind}" role="${kind === 'bad' ? 'alert' : 'status'}" tabindex="-1" autofocus><p>${text}</p></div>`
}
