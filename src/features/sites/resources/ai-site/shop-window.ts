import { arrayBuffer } from 'node:stream/consumers'
import type { Context } from '../../../../records/context.ts'
import type { JobContext } from '../../../../records/job.ts'
import { findNamed } from '../../../../records/records.ts'
import { priceInShort } from '../../../../resources/catalog/price-variant/in-words.ts'
import type { ProductRow } from '../../../../resources/catalog/product/product.ts'
import { publishedProducts, shownVariantsByProduct } from '../../../../resources/catalog/product/queries.ts'
import { productUrl } from '../../../../resources/catalog/product/show.ts'
import { currentAccount } from '../../../../resources/company/account/current.ts'
import { hasPublishedPosts } from '../../../../resources/content/blog-post/writing.ts'
import { storefrontOf } from '../../../../resources/content/domain-names.ts'
import { fileKey } from '../../../../resources/content/file/addresses.ts'
import { File, type FileRow } from '../../../../resources/content/file/file.ts'
import { publishedLegalPages } from '../../../../resources/content/legal-page/published.ts'
import type { ShopPicture, ShopProduct, ShopWindow } from '../../providers/provider.ts'

const MOST_PRODUCTS = 24
/** Limits in bytes for one picture and for all pictures that are copied into a site; larger ones are left out. */
const PICTURE_BYTES = 2_000_000
const ALL_PICTURES_BYTES = 12_000_000
const SHOWN = ['image/png', 'image/jpeg', 'image/gif', 'image/webp', 'image/avif']

type ProductWithoutPicture = Omit<ShopProduct, 'picture'> & { file: PictureFile | null }

/** A picture that can be shown, because its store, size and type are known. */
type PictureFile = Pick<FileRow, 'account_id' | 'id' | 'alternative_text' | 'title'> & {
  store: string
  size: number
  type: string
}

/** Returns the public data of the account: the shop's details, its newest products on sale and its public pages. */
export async function shopWindowOf(job: JobContext): Promise<ShopWindow> {
  const { products, ...shop } = await job.read(shopOf)
  let room = ALL_PICTURES_BYTES
  const pictured: ShopProduct[] = []
  for (const { file, ...product } of products) {
    const picture = file && file.size <= room ? await pictureOf(job, file, product.name) : null
    room -= picture?.bytes.length ?? 0
    pictured.push({ ...product, picture })
  }
  return { ...shop, products: pictured }
}

async function shopOf(context: Context): Promise<Omit<ShopWindow, 'products'> & { products: ProductWithoutPicture[] }> {
  const account = await currentAccount(context)
  const url = storefrontOf(context, account)
  const rows = await publishedProducts(context, { offset: 0, limit: MOST_PRODUCTS })
  const prices = await shownVariantsByProduct(
    rows.map(({ id }) => id),
    context,
  )
  const files = await findNamed(context, File, 'media', rows)
  const products = rows.map((product) => ({
    name: product.name,
    description: product.description ?? '',
    price: priceInShort(prices.get(product.id) ?? []),
    url: productUrl(url, product),
    file: firstPicture(product, files),
  }))
  const { name, description, support_email: email } = account
  return { name, description, email, url, products, links: await linksOf(context, url) }
}

function firstPicture({ media }: ProductRow, files: Map<string, FileRow>): PictureFile | null {
  for (const id of media ?? []) {
    const picture = pictureIn(files.get(id))
    if (picture) return picture
  }
  return null
}

function pictureIn(file: FileRow | undefined): PictureFile | null {
  if (file?.upload_status !== 'ready') return null
  const { store, size, detected_type: type } = file
  if (store === null || size === null || type === null) return null
  return size <= PICTURE_BYTES && SHOWN.includes(type) ? { ...file, store, size, type } : null
}

/** Returns a picture from the store; null if the store does not have its bytes. */
async function pictureOf({ services }: JobContext, file: PictureFile, otherwise: string): Promise<ShopPicture | null> {
  const stream = await services.files.named(file.store).read(fileKey(file))
  if (stream === null) return null
  const bytes = new Uint8Array(await arrayBuffer(stream))
  return { bytes, contentType: file.type, alternative: file.alternative_text ?? file.title ?? otherwise }
}

async function linksOf(context: Context, url: string): Promise<ShopWindow['links']> {
  const [hasBlog, pages] = [await hasPublishedPosts(context), await publishedLegalPages(context)]
  const legal = pages.map(({ title, slug }) => ({ title, url: `${url}/legal/${slug}` }))
  return [...(hasBlog ? [{ title: 'Blog', url: `${url}/blog` }] : []), ...legal]
}
