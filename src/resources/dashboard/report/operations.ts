import { day } from '../../../contract/declarations/day.ts'
import { currency, oneOf } from '../../../contract/declarations/kinds.ts'
import { custom } from '../../../records/custom.ts'
import { resource } from '../../../records/resource.ts'
import { COMPARISONS, DIMENSIONS, INTERVALS, Report } from './report.ts'
import { reportOf } from './show.ts'

export const reports = resource(Report, {
  dashboard: [
    custom({
      id: 'retrieve_report',
      method: 'GET',
      path: '/reports',
      rubyHelper: 'report',
      summary: 'Show what the shop earned',
      answers: Report,
      query: {
        from: day('First day in the account’s time zone, such as 2026-01-15. Default: 30 days including the last'),
        to: day('Last day. Default: today'),
        interval: oneOf(INTERVALS, 'Interval between points. Default: day up to 93 days, week up to 400, else month'),
        compare: oneOf(
          COMPARISONS,
          'What it is compared with. previous: as many days before; year: the same days a year before',
        ).default('previous'),
        by: oneOf(DIMENSIONS, 'Adds rows of each product, price, country of the buyer, or channel'),
        currency: currency('Only sales in this currency'),
      },
      rule: (context, { query }) => reportOf(context, query),
    }),
  ],
})
