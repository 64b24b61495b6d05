import { backgroundView } from './agents/background.ts'
import { AUTOMATION_VIEWS } from './automation/pages.ts'
import { COMPANY_VIEWS } from './company/formations.ts'
import { CONTENT_VIEWS } from './content/pages.ts'
import { deliveryView } from './developers/deliveries.ts'
import type { View } from './kit/visit.ts'
import { logView } from './members/log.ts'
import { SHOP_VIEWS } from './shop/shop.ts'
import { SOCIAL_VIEWS } from './social/pages.ts'

/** What the pages of some nouns have beyond what follows from their declarations, by the nouns' names. */
export const VIEWS: Readonly<Record<string, View>> = Object.fromEntries(
  [
    ...SHOP_VIEWS,
    ...CONTENT_VIEWS,
    ...SOCIAL_VIEWS,
    ...AUTOMATION_VIEWS,
    ...COMPANY_VIEWS,
    backgroundView,
    logView,
    deliveryView,
  ].map(({ noun, view }) => [noun, view]),
)
