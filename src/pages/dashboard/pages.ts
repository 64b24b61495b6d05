import { home } from './home/home.ts'
import type { DashboardPage } from './kit/page.ts'

/** The pages that are made by hand. */
export const HAND_MADE: DashboardPage[] = [home]
