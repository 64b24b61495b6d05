import { agents } from './agents/pages.ts'
import { AUTOMATION_PAGES } from './automation/pages.ts'
import { COMPANY_PAGES } from './company/formations.ts'
import { CONTENT_PAGES } from './content/pages.ts'
import { DEVELOPERS } from './developers/pages.ts'
import { home } from './home/home.ts'
import type { DashboardPage } from './kit/visit.ts'
import { members } from './members/members.ts'
import { RECOVER_PAGES } from './recover/pages.ts'
import { REPORT_PAGES } from './reports/pages.ts'
import { search } from './search/search.ts'
import { SETTINGS } from './settings/pages.ts'
import { SHOP_PAGES } from './shop/shop.ts'
import { SOCIAL_PAGES } from './social/pages.ts'
import { you } from './you/you.ts'

/** The pages that are made by hand. */
export const HAND_MADE: DashboardPage[] = [
  home,
  ...REPORT_PAGES,
  search,
  ...SHOP_PAGES,
  ...RECOVER_PAGES,
  ...agents,
  ...DEVELOPERS,
  ...SETTINGS,
  ...members,
  ...CONTENT_PAGES,
  ...SOCIAL_PAGES,
  ...AUTOMATION_PAGES,
  ...COMPANY_PAGES,
  ...you,
]
