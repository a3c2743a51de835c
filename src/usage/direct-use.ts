/**
 * Stands in the ledger, in metrics and in traces for model and connection of what people connect for themselves: they have
 * a name for their owner alone. No quota counts such calls.
 */
export const directUse = "direct";
