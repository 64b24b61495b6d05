import { createReadStream } from 'node:fs'
import { newId } from '../contract/values/ids.ts'
import { addEntries } from '../records/search/entries.ts'
import { Experience } from '../resources/content/experience/experience.ts'
import { keyOf } from '../resources/content/file/addresses.ts'
import { EXPERIENCES } from './experiences.ts'
import { FILES, type FileName, GALLERIES } from './files.ts'
import type { Shopkeeper } from './shopkeeper.ts'

const FOLDER = new URL('./files/', import.meta.url)
const MAX_BYTES = 1_000_000

/** Before the first buyer comes: the shop's files, the pictures of its products, and what purchases give access to. */
export async function openShop(shop: Shopkeeper): Promise<void> {
  for (const { as, ...file } of FILES) shop.remember(as, await upload(shop, file))
  for (const [slug, names] of Object.entries(GALLERIES))
    await shop.call('PATCH', `/products/${slug}`, { media: names.map(fileId(shop)) })
  await writeExperiences(shop)
  await giveAccess(shop)
  await shareLink(shop)
}

/** As an agent uploads, but that the bytes go straight to where the upload address would take them. */
async function upload(shop: Shopkeeper, file: { filename: string; title: string; tags: readonly string[] }) {
  const { id } = await shop.call('POST', '/files', file)
  const key = keyOf({ account_id: shop.accountId, id })
  const bytes = createReadStream(new URL(file.filename, FOLDER))
  await shop.parts.services.files.current.write(key, bytes, { maxBytes: MAX_BYTES })
  return shop.call('POST', `/files/${id}/uploaded`)
}

/** Experiences have no operation that writes them. */
async function writeExperiences(shop: Shopkeeper): Promise<void> {
  const now = await shop.now()
  const rows = EXPERIENCES.map(({ name, slug, description, access_type, item_type, content }) => ({
    ...{ account_id: shop.accountId, id: newId('exp'), created_at: now, updated_at: now },
    ...{ name, slug, description, access_type, item_type },
    content: JSON.stringify(content({ file: fileId(shop), on: (days, hour) => shop.on(days, hour) })),
  }))
  const contents = rows.map(({ content }) => JSON.parse(content) as { files?: string[] })
  const held = contents.flatMap(({ files = [] }) => files)
  await shop.parts.database.transaction(async ({ db }) => {
    await db.insertInto('experiences').values(rows).execute()
    for (const row of rows) await addEntries({ db, accountId: shop.accountId }, Experience, row)
    const files = db.updateTable('files').set({ in_experience: 1 }).where('account_id', '=', shop.accountId)
    await files.where('id', 'in', held).execute()
  })
  for (const { slug, id } of rows) shop.remember(slug, { id })
}

/** Says of each price what its buyers get. */
async function giveAccess(shop: Shopkeeper): Promise<void> {
  const products = await shop.list('/products')
  for (const { name, price_variants } of products)
    for (const price of price_variants as { id: string; name: string }[]) {
      const given = EXPERIENCES.filter(({ of }) => of.some((one) => one === name || one === `${name}, ${price.name}`))
      const experience_ids = given.map(({ slug }) => `@${slug}`)
      if (given.length > 0) await shop.call('PATCH', `/price_variants/${price.id}`, { experience_ids })
    }
}

/** One address that sells two things. */
async function shareLink(shop: Shopkeeper): Promise<void> {
  const products = [
    await shop.get('/products/field-guide-to-paper'),
    await shop.get('/products/printing-day-at-the-press'),
  ]
  const price_variants = products.map(({ price_variants }) => (price_variants as { id: string }[])[0]!.id)
  await shop.call('POST', '/checkout_links', { name: 'Guide and printing day', price_variants })
}

function fileId(shop: Shopkeeper): (name: FileName) => string {
  return (name) => shop.named(name).id
}
