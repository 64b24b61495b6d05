-- What pages of the dashboard sort lists by. Numbers are indexed as expressions, which no range of them matches: see 0006.
create index products_by_name on products (account_id, name, id);
create index customers_by_email on customers (account_id, email, id);
create index customers_by_spend on customers (account_id, (total_spend + 0), id);
create index orders_by_amount on orders (account_id, (amount + 0), id);
create index invoices_by_amount on invoices (account_id, (amount + 0), id);
