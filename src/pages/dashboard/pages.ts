import { home } from './home/home.ts'
import type { DashboardPage } from './kit/page.ts'
import { SHOP_PAGES } from './shop/shop.ts'

/** The pages that are made by hand. */
export const HAND_MADE: DashboardPage[] = [home, ...SHOP_PAGES]
