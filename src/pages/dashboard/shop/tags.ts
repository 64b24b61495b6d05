import { html } from 'hono/html'
import { counted } from '../../../format/counts.ts'
import { number } from '../kit/value.ts'
import { view } from '../kit/visit.ts'

/** Renders the color itself, because its code means little to most people. */
function swatch(color: string | null) {
  return color === null
    ? ''
    : html`<svg class="swatch" aria-hidden="true" width="12" height="12" viewBox="0 0 12 12"><circle cx="6" cy="6" r="6" fill="${color}"/></svg> `
}

export const tagView = view('tag', {
  lead: 'Labels that group customers, such as regulars or subscribers.',
  title: ({ name }) => name,
  columns: ['label', 'customers', 'created_at'],
  cells: {
    label: { title: 'Tag', show: (_, { name, color }) => html`${swatch(color)}${name}` },
    customers: {
      title: 'Customers',
      end: true,
      show: (_, { customers_count: count }) => number(count),
    },
  },
  empty: () => html`Give a customer a tag on the customer’s page, or create one here.`,
  main: ['created_at'],
  without: ['name', 'color', 'customers_count'],
  above: [
    async ({ base }, { name, color, customers_count: count }) =>
      html`<section class="card" aria-label="Who has the tag"><p>${swatch(color)}${count === 0 ? 'No customer has this tag yet.' : html`<a href="${base}/customers?tag=${encodeURIComponent(name)}">${counted(count, 'customer')}</a> with this tag.`}</p></section>`,
  ],
  form: {
    create: 'Create tag',
    groups: [{ names: ['name', 'color'] }],
    labels: { name: 'Name', color: 'Color' },
    hints: { name: 'What the customers have in common.', color: 'Such as #1f6feb. Shown next to the name.' },
  },
  actions: {
    delete: {
      button: 'Delete',
      lead: (_, { customers_count: count }) =>
        count === 0
          ? 'No customer has this tag.'
          : `It is taken off ${counted(count, 'customer')}. The customers themselves stay.`,
      danger: true,
    },
  },
  related: [],
})
