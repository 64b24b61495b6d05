-- Only a list that is sorted by one of these says their condition, so that nothing else uses them: on a new PostgreSQL database
-- a look-up by slug read all products of the account in them, and lost to whoever wrote one meanwhile. By e-mail address the
-- unique key of customers sorts.
drop index products_by_name;
drop index customers_by_email;
drop index customers_by_spend;
drop index orders_by_amount;
drop index invoices_by_amount;
create index products_by_name on products (account_id, name, id) where length(id) > 0;
create index customers_by_spend on customers (account_id, (total_spend + 0), id) where length(id) > 0;
create index orders_by_amount on orders (account_id, (amount + 0), id) where length(id) > 0;
create index invoices_by_amount on invoices (account_id, (amount + 0), id) where length(id) > 0;
