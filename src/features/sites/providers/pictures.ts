import { createHash } from 'node:crypto'
import type { ShopProduct, SiteFile } from './provider.ts'

const ENDINGS: Record<string, string> = {
  'image/png': 'png',
  'image/jpeg': 'jpg',
  'image/gif': 'gif',
  'image/webp': 'webp',
  'image/avif': 'avif',
}

export interface Pictures {
  pathOf: Map<ShopProduct, string>
  files: SiteFile[]
}

/** Returns copies of the products' pictures as files of the site, so that it does not depend on the shop's files. */
export function picturesOf(products: readonly ShopProduct[]): Pictures {
  const files = new Map<string, SiteFile>()
  const pathOf = new Map<ShopProduct, string>()
  for (const product of products) {
    const ending = product.picture && ENDINGS[product.picture.contentType]
    if (!product.picture || ending === undefined) continue
    const { bytes } = product.picture
    const name = createHash('sha256').update(bytes).digest('hex').slice(0, 16)
    const path = `assets/${name}.${ending}`
    files.set(path, { path, bytes })
    pathOf.set(product, path)
  }
  return { pathOf, files: [...files.values()] }
}
