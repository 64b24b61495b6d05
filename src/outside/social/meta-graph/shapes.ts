import { z } from 'zod'

/** What of the answers is used that several of the networks give alike. */
export const Id = z.object({ id: z.string().min(1) })
/** Whatever it says, only that it succeeded is of interest. */
export const Anything = z.unknown()

export function listOf<Shape extends z.ZodType>(shape: Shape) {
  return z.object({ data: z.array(shape).default([]) })
}

/** How many posts of the last 24 hours are counted, and how many are allowed. */
export const Quota = listOf(
  z.object({ quota_usage: z.number(), config: z.object({ quota_total: z.number() }).optional() }),
)
export type Quota = z.output<typeof Quota>

/** Figures by name: one value, or one for each day, which ends at `end_time`. */
export const Insights = listOf(
  z.object({
    name: z.string(),
    values: z.array(z.object({ value: z.unknown(), end_time: z.string().optional() })).default([]),
    total_value: z.object({ value: z.unknown() }).optional(),
  }),
)
export type Insights = z.output<typeof Insights>
