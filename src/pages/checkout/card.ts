import { html } from 'hono/html'
import type { Sheet } from '../../resources/sales/checkout/sheet.ts'
import { type Column, captionedTable, field, type Page, type Problem } from '../parts/markup.ts'
import { type Asked, problemOf } from '../parts/problem-words.ts'

const CARD: Asked = { id: 'card', label: 'Card number', kind: 'text', blank: 'Enter a card number.' }

export function cardProblem(number: string | undefined): Problem {
  return problemOf(CARD, number ? 'is not one of the test cards below' : "can't be blank")
}

/** Renders an input for a test card and the list of test cards. A typed card number is never shown again. */
export function cardPart({ cards }: Pick<Sheet, 'cards'>, problems: readonly Problem[]): Page {
  const columns: Column<(typeof cards)[number]>[] = [
    { words: 'Number', cell: ({ number }) => html`<code>${groupedDigits(number)}</code>` },
    { words: 'What happens', cell: ({ description }) => description },
  ]
  return html`<h2>Payment</h2>
${field({
  id: 'card',
  label: 'Card number',
  hint: 'Use one of the test cards below, never a real one.',
  problems,
  input: (described) =>
    html`<input id="card" name="card" type="text" inputmode="numeric" autocomplete="off" maxlength="30" list="test-cards" required${described}>`,
})}
<datalist id="test-cards">${cards.map(({ number, description }) => html`<option value="${groupedDigits(number)}">${description}</option>`)}</datalist>
${captionedTable('cards', { caption: 'Test cards', columns, rows: cards })}`
}

function groupedDigits(number: string): string {
  return number.replaceAll(/\d{4}(?=\d)/g, '$& ')
}
