import type { Derived } from '../../../records/resource.ts'

export function deriveConfigurations(rows: object[]): Derived[] {
  return rows.map(() => ({ currency: 'USDC' }))
}
