import type { Row } from '../contract/noun.ts'
import type { SystemTables } from '../database/system-tables.ts'
import type { Customer } from './audience/customer/customer.ts'
import type { Tag } from './audience/tag/tag.ts'
import type { Discount } from './catalog/discount/discount.ts'
import type { PriceVariant } from './catalog/price_variant/price_variant.ts'
import type { Product } from './catalog/product/product.ts'
import type { Review } from './catalog/review/review.ts'
import type { Account } from './company/account/account.ts'
import type { BlogCategory } from './content/blog_category/blog_category.ts'
import type { BlogPost } from './content/blog_post/blog_post.ts'
import type { Experience } from './content/experience/experience.ts'
import type { File } from './content/file/file.ts'
import type { WebhookEndpoint } from './messages/webhook_endpoint/webhook_endpoint.ts'
import type { WebhookEvent } from './messages/webhook_event/webhook_event.ts'

/** The database's tables, as the engines hold their rows. */
export interface Tables extends SystemTables {
  accounts: TableOf<typeof Account>
  products: TableOf<typeof Product> & Searchable
  price_variants: TableOf<typeof PriceVariant>
  customers: TableOf<typeof Customer> & Searchable
  tags: TableOf<typeof Tag> & Searchable
  discounts: TableOf<typeof Discount> & Searchable
  reviews: TableOf<typeof Review>
  experiences: TableOf<typeof Experience>
  files: TableOf<typeof File>
  blog_posts: TableOf<typeof BlogPost> & Searchable
  blog_categories: TableOf<typeof BlogCategory>
  webhook_endpoints: TableOf<typeof WebhookEndpoint>
  webhook_events: TableOf<typeof WebhookEvent>
}

/** The words of a noun's `searchable` fields, in lower case. */
interface Searchable {
  search_text: string
}

/** A row as stored: 0 and 1 for booleans, JSON text for arrays and objects. */
type TableOf<N> = { [Key in keyof Row<N>]: Raw<Row<N>[Key]> }

type Raw<Value> = Value extends boolean ? number : Value extends string | number | null ? Value : string
