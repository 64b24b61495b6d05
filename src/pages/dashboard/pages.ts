import { agents } from './agents/pages.ts'
import { DEVELOPERS } from './developers/pages.ts'
import { home } from './home/home.ts'
import type { DashboardPage } from './kit/page.ts'
import { members } from './members/members.ts'
import { SETTINGS } from './settings/pages.ts'
import { SHOP_PAGES } from './shop/shop.ts'
import { you } from './you/you.ts'

/** The pages that are made by hand. */
export const HAND_MADE: DashboardPage[] = [
  home,
  ...SHOP_PAGES,
  ...agents,
  ...DEVELOPERS,
  ...SETTINGS,
  ...members,
  ...you,
]
