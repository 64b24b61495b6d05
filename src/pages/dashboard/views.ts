import type { View } from './kit/view.ts'
import { SHOP_VIEWS } from './shop/shop.ts'

/** What the pages of some nouns have beyond what follows from their declarations, by the nouns' names. */
export const VIEWS: Record<string, View> = { ...SHOP_VIEWS }
