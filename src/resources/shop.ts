import type { Resource } from '../records/resource.ts'
import { account } from './account.ts'
import { blogCategories } from './blog_category.ts'
import { blogPosts } from './blog_post.ts'
import { customers } from './customer.ts'
import { discounts } from './discount.ts'
import { experiences } from './experience.ts'
import { files } from './file.ts'
import { priceVariants } from './price_variant.ts'
import { products } from './product.ts'
import { reviews } from './review.ts'
import { tags } from './tag.ts'
import { me } from './user.ts'

/** What the shop is, in catalogue order. */
export const shop: Resource[] = [
  account,
  me,
  products,
  priceVariants,
  customers,
  tags,
  discounts,
  blogPosts,
  blogCategories,
  reviews,
  experiences,
  files,
]
