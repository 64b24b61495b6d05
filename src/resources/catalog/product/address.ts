import { inOnePiece } from '../../../contract/values/values.ts'

/** The page of a product. `storefront` is where its shop is, without a slash at the end. */
export function productUrl(storefront: string, { slug }: { slug: string }): string {
  return inOnePiece(storefront, '/p/', slug)
}
