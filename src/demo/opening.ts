import { createReadStream } from 'node:fs'
import { newId } from '../contract/values/ids.ts'
import { addEntries } from '../records/search/entries.ts'
import { Experience } from '../resources/content/experience/experience.ts'
import { fileKey } from '../resources/content/file/addresses.ts'
import { EXPERIENCES, slugOf } from './experiences.ts'
import type { Shopkeeper } from './shopkeeper.ts'
import type { Offer } from './trade.ts'

const FOLDER = new URL('./files/', import.meta.url)
const MAX_BYTES = 1_000_000

const product = (as: string, filename: string, title: string, slug: string | null) => ({ as, filename, title, slug })
const download = (as: string, filename: string, title: string) => product(as, filename, title, null)

const FILES = [
  product('guide', 'field-guide.png', 'The cover of the Field Guide to Paper', 'field-guide-to-paper'),
  product('guide open', 'field-guide-open.png', 'Two pages of the Field Guide to Paper', 'field-guide-to-paper'),
  product('print', 'kestrel-print.png', 'The kestrel that is printed on a printing day', 'printing-day-at-the-press'),
  product('patterns', 'pattern-club.png', 'Four patterns of the Pattern Club', 'pattern-club'),
  product('spine', 'sewn-spine.webp', 'The spine of a book, sewn with red thread', 'bookbinding-in-a-weekend'),
  product('press', 'studio-press.webp', 'The book press of the studio', 'studio-membership'),
  product('sheets', 'grid-templates.webp', 'Three sheets: lines, squares and dots', 'grid-templates'),
  product('zine cover', 'zine-cover.webp', 'The cover of the zine', 'pay-what-you-like-zine'),
  download('grids', 'grid-templates.pdf', 'Grid templates (PDF)'),
  download('zine', 'zine.pdf', 'A Zine About Mistakes (PDF)'),
  download('templates', 'binding-templates.pdf', 'Binding templates (PDF)'),
]

/** Uploads the demo shop's files, adds pictures to its products and sets what each purchase gives access to. */
export async function openShop(shop: Shopkeeper): Promise<void> {
  for (const { as, slug, filename, title } of FILES)
    shop.remember(as, await upload(shop, { filename, title, tags: [slug === null ? 'download' : 'product'] }))
  for (const [slug, pictures] of Map.groupBy(FILES, (file) => file.slug))
    if (slug !== null) await shop.call('PATCH', `/products/${slug}`, { media: pictures.map(({ as }) => `@${as}`) })
  await writeExperiences(shop)
  await giveAccess(shop)
  await shareLink(shop)
}

/** Uploads a file as an agent would, except that the bytes go directly to the file store instead of to the upload URL. */
async function upload(shop: Shopkeeper, file: { filename: string; title: string; tags: string[] }) {
  const { id } = await shop.call('POST', '/files', file)
  const key = fileKey({ account_id: shop.accountId, id })
  const bytes = createReadStream(new URL(file.filename, FOLDER))
  await shop.parts.services.files.current.write(key, bytes, { maxBytes: MAX_BYTES })
  return shop.call('POST', `/files/${id}/uploaded`)
}

/** Inserts the experiences as rows, because only the dashboard has an operation that creates them. */
async function writeExperiences(shop: Shopkeeper): Promise<void> {
  const now = await shop.now()
  const files: string[] = []
  const rows = EXPERIENCES.map(({ name, description, item_type, of, content }) => {
    const shown = content(shop)
    if ('files' in shown) files.push(...shown.files)
    const access_type: 'secret' | 'open' = of ? 'secret' : 'open'
    return {
      ...{ account_id: shop.accountId, id: newId('exp'), created_at: now, updated_at: now, name, description },
      ...{ slug: slugOf(name), access_type, item_type },
      content: JSON.stringify(shown),
    }
  })
  await shop.parts.database.transaction(async ({ db }) => {
    await db.insertInto('experiences').values(rows).execute()
    for (const row of rows) await addEntries({ db, accountId: shop.accountId }, Experience, row)
    const held = db.updateTable('files').set({ in_experience: 1 }).where('account_id', '=', shop.accountId)
    await held.where('id', 'in', files).execute()
  })
  for (const { name, id } of rows) shop.remember(name, { id })
}

/** Sets the experiences that each price grants access to, and remembers the price under the name `product, price`. */
async function giveAccess(shop: Shopkeeper): Promise<void> {
  const products = await shop.list<{ name: string; price_variants: Offer[] }>('/products')
  for (const { name: product_name, price_variants } of products)
    for (const price of price_variants) {
      shop.remember(`${product_name}, ${price.name}`, { ...price, product_name })
      const experience_ids = EXPERIENCES.filter(({ of }) => of === product_name).map(({ name }) => `@${name}`)
      if (experience_ids.length > 0) await shop.call('PATCH', `/price_variants/${price.id}`, { experience_ids })
    }
}

async function shareLink(shop: Shopkeeper): Promise<void> {
  const price_variants = ['@Field Guide to Paper, Single', '@Printing Day at the Press, Seat']
  await shop.call('POST', '/checkout_links', { name: 'Guide and printing day', price_variants })
}
