import { inOnePiece } from '../../../contract/values/values.ts'

/** The page of a post. `storefront` is where its shop is, without a slash at the end. */
export function postUrl(storefront: string, { slug }: { slug: string }): string {
  return inOnePiece(storefront, '/blog/', slug)
}
