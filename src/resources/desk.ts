import type { Resource } from '../records/resource.ts'
import { accessGrants } from './desk/access_grant/operations.ts'
import { overviews } from './desk/overview/operations.ts'
import { productSales } from './desk/product_sales/operations.ts'

/** What the dashboard alone shows: things of an account that no operation of the contract is about. */
export const desk: Resource[] = [overviews, productSales, accessGrants]
