-- Databases that were set up between two releases ran earlier forms of 0012, 0030, 0036 and 0047. This gives them the indexes
-- that those files have now; a database that ran the final forms has them all and stays as it is.
create index if not exists payments_by_checkout on payments (account_id, checkout, id) where checkout is not null;
create index if not exists price_variants_by_id on price_variants (id);
create index if not exists checkouts_by_subscription on checkouts (account_id, subscription) where subscription is not null;
create index if not exists checkouts_that_are_open on checkouts (account_id, id) where status = 'open';
create index if not exists checkouts_by_customer on checkouts (account_id, customer) where customer is not null;
create index if not exists invoices_by_price_variant on invoices (account_id, price_variant);
create index if not exists sessions_by_expiry on sessions (expires_at);
create index if not exists verifications_by_expiry on verifications (expires_at);
create index if not exists invitations_by_id on invitations (id);
create index if not exists emails_by_customer on emails (account_id, customer, id) where customer is not null;
create index if not exists order_items_by_product_payment on order_items (account_id, product, paid_at);
drop index if exists customers_by_email;
