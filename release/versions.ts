import { API_VERSIONS } from '../src/providers/api-versions.ts'

/** LinkedIn ends a version after a year; a release should serve for two months at least. */
const MOST_MONTHS = 10

/** The versions of APIs that are too old for a release of this day, each in a sentence. */
export function outdatedVersions(today: Date): string[] {
  const oldest = new Date(today)
  oldest.setUTCMonth(oldest.getUTCMonth() - MOST_MONTHS)
  const limit = oldest.toISOString().slice(0, 10)
  return Object.entries(API_VERSIONS)
    .filter(([, { date }]) => date < limit)
    .map(([name, { version, date }]) => `${name}: ${version} of ${date} is more than ${MOST_MONTHS} months old.`)
}
