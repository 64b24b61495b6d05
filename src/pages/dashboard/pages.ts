import { DEVELOPERS } from './developers/pages.ts'
import { home } from './home/home.ts'
import type { DashboardPage } from './kit/page.ts'
import { SETTINGS } from './settings/pages.ts'

/** The pages that are made by hand. */
export const HAND_MADE: DashboardPage[] = [home, ...DEVELOPERS, ...SETTINGS]
