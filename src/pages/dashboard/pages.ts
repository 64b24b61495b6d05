import { backgroundView } from './agents/background.ts'
import { agents } from './agents/pages.ts'
import { AUTOMATION_PAGES, AUTOMATION_VIEWS } from './automation/pages.ts'
import { CONTENT_PAGES, CONTENT_VIEWS } from './content/pages.ts'
import { deliveryView } from './developers/deliveries.ts'
import { DEVELOPERS } from './developers/pages.ts'
import { home } from './home/home.ts'
import type { DashboardPage, NamedView } from './kit/visit.ts'
import { logView } from './members/log.ts'
import { members } from './members/members.ts'
import { chargeNow, mailPaymentLink, showPaymentLink } from './recover/actions.ts'
import { recover } from './recover/recover.ts'
import { reportCsv, reportPage } from './reports/reports.ts'
import { search } from './search/search.ts'
import { SETTINGS } from './settings/pages.ts'
import { SHOP_PAGES, SHOP_VIEWS } from './shop/shop.ts'
import { you } from './you/you.ts'

const REPORT_PAGES: DashboardPage[] = [reportPage, reportCsv]

const RECOVER_PAGES: DashboardPage[] = [recover, showPaymentLink, mailPaymentLink, chargeNow]

/** The views of the core's resources. */
export const VIEWS: readonly NamedView[] = [
  ...SHOP_VIEWS,
  ...CONTENT_VIEWS,
  ...AUTOMATION_VIEWS,
  backgroundView,
  logView,
  deliveryView,
]

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
  ...AUTOMATION_PAGES,
  ...you,
]
