import type { DashboardPage } from '../kit/visit.ts'
import { reportCsv, reportPage } from './reports.ts'

export const REPORT_PAGES: DashboardPage[] = [reportPage, reportCsv]
