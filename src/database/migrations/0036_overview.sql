-- What the overview of an account sums and counts, so that it reads no row whole.
create index orders_by_currency on orders (account_id, currency, paid_at, amount, amount_refunded) where paid_at is not null;
create index subscriptions_by_times on subscriptions (
  account_id, price_variant, currency, status, created_at, first_charged_at, ends_at, paused_at, unpaid_since, amount
);
create index orders_disputed on orders (account_id, id) where status = 'disputed';
create index invoices_past_due on invoices (account_id, id) where status = 'past_due';
create index subscriptions_past_due on subscriptions (account_id, id) where status in ('past_due', 'unpaid');
create index program_plans_open on program_plans (account_id, id) where state = 'open';
-- What the pages of a customer and of a product list.
create index emails_by_customer on emails (account_id, customer, id) where customer is not null;
create index order_items_by_product_payment on order_items (account_id, product, paid_at);
