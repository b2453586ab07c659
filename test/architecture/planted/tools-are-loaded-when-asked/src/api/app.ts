export { serve } from '../../mcp/http.js';
