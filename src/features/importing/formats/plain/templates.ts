import { csvLine } from '../../../../format/csv.ts'
import {
  CUSTOMER_COLUMNS,
  LINE_COLUMNS,
  ORDER_COLUMNS,
  PRICE_COLUMNS,
  PRODUCT_COLUMNS,
  SUBSCRIPTION_COLUMNS,
} from '../../../../resources/dashboard/account-export/csv-columns.ts'

interface Template {
  columns: readonly string[]
  /** Example rows by column name. Absent columns are empty. */
  rows: readonly Record<string, string>[]
}

const MUG = {
  ...{ id: 'mug', slug: 'mug', name: 'Mug', status: 'active', description: 'Holds tea.', tax_code: 'goods' },
  ...{ amount: '12.50', currency: 'usd' },
}
const ORDER = {
  ...{ id: '1001', customer_email: 'ada@example.com', customer_name: 'Ada Lovelace', status: 'succeeded' },
  ...{ currency: 'usd', amount: '45.00', amount_discount: '5.00', amount_tax: '0.00', amount_refunded: '0.00' },
  ...{ paid_at: '2025-03-05 14:22:10 +0100', country: 'DE' },
}

export const TEMPLATES: Readonly<Record<string, Template>> = {
  products: {
    columns: [...PRODUCT_COLUMNS, ...PRICE_COLUMNS],
    rows: [
      { ...MUG, price_id: 'mug-blue', sku: 'MUG-B', price_name: 'Blue', quantity_available: '40' },
      { ...MUG, price_id: 'mug-red', sku: 'MUG-R', price_name: 'Red' },
      {
        ...{ id: 'club', name: 'Tea Club', status: 'active', price_id: 'club-monthly', price_name: 'Monthly' },
        ...{ amount: '9.00', currency: 'usd', billing_type: 'subscription' },
        ...{ recurring_interval: 'month', interval_count: '1' },
      },
    ],
  },
  customers: {
    columns: CUSTOMER_COLUMNS,
    rows: [
      {
        ...{ id: '42', email: 'ada@example.com', name: 'Ada Lovelace', phone_number: '+44 20 7946 0000' },
        ...{ country: 'GB', tags: 'VIP, Accepts marketing', created_at: '2023-11-02' },
        metadata: '{"newsletter":"yes"}',
      },
    ],
  },
  subscriptions: {
    columns: SUBSCRIPTION_COLUMNS,
    rows: [
      {
        ...{ id: 's-7', customer_email: 'ada@example.com', price_id: 'club-monthly', product_name: 'Tea Club' },
        ...{ price_name: 'Monthly', quantity: '1', unit_amount: '9.00', currency: 'usd', interval: 'month' },
        ...{ status: 'active', started_at: '2024-01-15', current_period_start: '2025-03-15' },
        current_period_end: '2025-04-15',
      },
    ],
  },
  orders: {
    columns: [...ORDER_COLUMNS, ...LINE_COLUMNS],
    rows: [
      {
        ...{ ...ORDER, line_price_id: 'mug-blue', line_product_name: 'Mug', line_price_name: 'Blue' },
        ...{ line_quantity: '2', line_unit_amount: '12.50' },
      },
      { ...ORDER, line_product_name: 'Gift box', line_quantity: '1', line_unit_amount: '25.00' },
    ],
  },
}

export function templateText({ columns, rows }: Template): string {
  return [columns, ...rows.map((row) => columns.map((name) => row[name] ?? ''))].map(csvLine).join('')
}
