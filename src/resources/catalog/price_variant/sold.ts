/** Whether a buyer ever paid this price. */
export function wasSold({ sold_count }: { sold_count: number }): boolean {
  return sold_count > 0
}
