import { agents } from './agents/pages.ts'
import { home } from './home/home.ts'
import type { DashboardPage } from './kit/page.ts'
import { you } from './you/you.ts'

/** The pages that are made by hand. */
export const HAND_MADE: DashboardPage[] = [home, ...agents, ...you]
