import { html } from 'hono/html'
import { becomes } from '../derived/chosen.ts'
import { goDone } from '../kit/answers.ts'
import { shown } from '../kit/call.ts'
import { mayOpen } from '../kit/page-rights.ts'
import { type DashboardPage, view } from '../kit/visit.ts'
import { shortened } from '../kit/words.ts'

const STARS = 5

export const reviewView = view('review', {
  lead: 'What buyers say about your products. Only published reviews are shown in the storefront.',
  title: ({ content }) => (content ? shortened(content, 60) : 'Rating without text'),
  search: 'Product, e-mail or name',
  bulk: [
    { name: 'publish', button: 'Publish', method: 'patch', body: { published: true }, says: becomes('published') },
    { name: 'hide', button: 'Hide', method: 'patch', body: { published: false }, says: becomes('hidden') },
  ],
  columns: ['said', 'product', 'rating', 'customer_name', 'shown', 'created_at'],
  cells: {
    said: {
      title: 'Review',
      show: (_, { content }) => html`${content ? shortened(content, 70) : 'Rating without text'}`,
    },
    rating: {
      title: 'Rating',
      show: (_, { rating }) =>
        html`<span class="stars" aria-hidden="true">${'★'.repeat(rating)}${'☆'.repeat(STARS - rating)}</span><span class="unseen">${rating} of ${STARS} stars</span>`,
    },
    shown: {
      title: 'State',
      show: (_, { published }) =>
        html`<span class="badge ${published ? 'good' : 'wait'}">${published ? 'Published' : 'Not published'}</span>`,
    },
  },
  links: (visit, { id, published }) =>
    mayOpen(visit, `/reviews/${id}/published`, 'POST')
      ? html`<form method="post" action="${visit.base}/reviews/${id}/published"><input type="hidden" name="csrf" value="${visit.csrf}"><input type="hidden" name="published" value="${published ? 'false' : 'true'}"><button class="${published ? '' : 'primary'}">${published ? 'Unpublish' : 'Publish'}</button></form>`
      : null,
  actions: {
    position: {
      button: 'Move',
      lead: (_, { position }) => `It is number ${position} among the product’s reviews. Buyers see them in this order.`,
      labels: { position: 'New position' },
      hints: { position: '1 is first. A number beyond the end moves it to last.' },
    },
  },
})

export const publishReview: DashboardPage = {
  path: '/reviews/:id/published',
  send: 'products.write',
  post: async (visit, { id }, form) => {
    const body = { published: form.get('published') === 'true' }
    await shown(visit.call('PATCH /reviews/{id}', { path: { id: id! }, body }))
    return goDone(visit, `${visit.base}/reviews/${encodeURIComponent(id!)}`, 'saved')
  },
}
