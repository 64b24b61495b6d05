import type { Shop } from '../support/shop.ts'
import { having, type Way, type Ways } from './ways.ts'

const product =
  (status: string): Way =>
  async (shop) =>
    (await shop.product({ status })).id

const discount =
  (values: Record<string, unknown>): Way =>
  async (shop) =>
    (await shop.discount(values)).id

const upload = (shop: Shop) => shop.post('/files', { filename: 'words.txt' })
const waiting: Way = async (shop) => (await upload(shop)).id

const uploaded: Way = async (shop) => {
  const { id, upload_url } = await upload(shop)
  await fetch(upload_url, { method: 'PUT', body: 'words' })
  return id
}

const ready: Way = async (shop) => {
  const id = await uploaded(shop)
  await shop.post(`/files/${id}/uploaded`)
  return id
}

const video: Way = async (shop) =>
  (await shop.post('/files', { kind: 'external_video', url: 'https://www.youtube.com/watch?v=dQw4w9WgXcQ' })).id

/** One that only an agent builds, so that it stays in its state. */
const site: Way = async (shop) => (await shop.post('/sites', { prompt: '# agent\nA shop window' })).id

/** How rows of the catalogue and its contents come to their states. */
export const catalogWays: Ways = {
  product: { draft: product('draft'), active: product('active'), archived: product('archived') },
  discount: {
    active: discount({}),
    inactive: discount({ status: 'inactive' }),
    scheduled: discount({ starts_at: '2099-01-01T00:00:00Z' }),
    expired: having('discounts', { redeem_by: '2020-01-01T00:00:00Z' }, discount({})),
  },
  file: {
    pending: waiting,
    'pending, with bytes': uploaded,
    processing: having('files', { source: 'url_import', upload_status: 'processing' }, waiting),
    ready,
    'ready, outside': video,
    failed: having('files', { upload_status: 'failed' }, waiting),
  },
  ai_site: {
    queued: site,
    building: having('sites', { build_status: 'building' }, site),
    live: having('sites', { build_status: 'live' }, site),
    failed: having('sites', { build_status: 'failed' }, site),
  },
}
